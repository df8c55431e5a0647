import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { userPaths } from '../src/paths.ts'

describe('the user\'s folders', () => {
  it.each<[NodeJS.ProcessEnv, string, string]>([
    [{ HOME: '/of/ada' }, '/of/ada/.config/dsh', '/of/ada/.local/share/dsh'],
    [{ HOME: '/of/ada', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }, '/c/dsh', '/d/dsh'],
    [{ HOME: '/of/ada', XDG_CONFIG_HOME: 'relative', XDG_DATA_HOME: '' }, '/of/ada/.config/dsh', '/of/ada/.local/share/dsh'],
    [{ HOME: '/of/ada', XDG_CONFIG_HOME: '/c', DSH_HOME: '/own' }, '/own', '/own'],
    [{ HOME: '/of/ada', DSH_HOME: 'own' }, resolve('own'), resolve('own')],
    // The folder that one happens to be in is nobody's home: what lies there is not the user's.
    [{ HOME: '' }, `${userInfo().homedir}/.config/dsh`, `${userInfo().homedir}/.local/share/dsh`],
    [{ HOME: 'of/ada' }, `${userInfo().homedir}/.config/dsh`, `${userInfo().homedir}/.local/share/dsh`],
  ])('with %j lie in %s and %s', (env, config, data) => {
    expect(userPaths(env)).toEqual({ config, data, trust: `${data}/trust.json` })
  })
})
