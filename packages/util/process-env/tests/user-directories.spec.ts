import { expect, it } from 'vitest'
import { userDirectories } from '../src/index.ts'

it.each<[string, NodeJS.ProcessEnv, object]>([
  ['the conventions', { HOME: '/h' }, { home: '/h', config: '/h/.config/dsh', data: '/h/.local/share/dsh' }],
  ['the XDG directories', { HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }, { home: '/h', config: '/c/dsh', data: '/d/dsh' }],
  ['no relative XDG directory', { HOME: '/h', XDG_CONFIG_HOME: 'c', XDG_DATA_HOME: './d' }, { home: '/h', config: '/h/.config/dsh', data: '/h/.local/share/dsh' }],
  ['DSH_HOME before all', { HOME: '/h', DSH_HOME: '/own', XDG_CONFIG_HOME: '/c' }, { home: '/h', config: '/own', data: '/own' }],
])('follows %s', (_what, env, directories) => {
  expect(userDirectories(env)).toEqual(directories)
})
