import { describe, expect, it } from 'vitest'
import { userPaths } from '../src/paths.ts'

describe('the user\'s folders', () => {
  it.each<[NodeJS.ProcessEnv, string, string]>([
    [{ HOME: '/home/ada' }, '/home/ada/.config/dsh', '/home/ada/.local/share/dsh'],
    [{ HOME: '/home/ada', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }, '/c/dsh', '/d/dsh'],
    [{ HOME: '/home/ada', XDG_CONFIG_HOME: 'relative', XDG_DATA_HOME: '' }, '/home/ada/.config/dsh', '/home/ada/.local/share/dsh'],
    [{ HOME: '/home/ada', XDG_CONFIG_HOME: '/c', DSH_HOME: '/own' }, '/own', '/own'],
  ])('with %j lie in %s and %s', (env, config, data) => {
    expect(userPaths(env)).toEqual({ config, data })
  })
})
