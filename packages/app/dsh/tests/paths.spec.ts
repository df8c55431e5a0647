import { describe, expect, it } from 'vitest'
import { userPaths } from '../src/paths.ts'

describe('the user\'s folders', () => {
  it.each<[NodeJS.ProcessEnv, string, string]>([
    [{ HOME: '/of/ada' }, '/of/ada/.config/dsh', '/of/ada/.local/share/dsh'],
    [{ HOME: '/of/ada', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }, '/c/dsh', '/d/dsh'],
    [{ HOME: '/of/ada', XDG_CONFIG_HOME: 'relative', XDG_DATA_HOME: '' }, '/of/ada/.config/dsh', '/of/ada/.local/share/dsh'],
    [{ HOME: '/of/ada', XDG_CONFIG_HOME: '/c', DSH_HOME: '/own' }, '/own', '/own'],
  ])('with %j lie in %s and %s', (env, config, data) => {
    expect(userPaths(env)).toEqual({ config, data })
  })
})
