import type { Context } from 'cordis'
import z from 'schemastery'
import { expect, it } from 'vitest'
import { explain, renderExplained, type Explained } from '../src/index.ts'
import { setup } from './harness.ts'

const BUILTINS = {
  llm: async () => ({ default: Object.assign((ctx: Context) => void ctx.provide('llm', {}), { provide: 'llm' }) }),
  web: async () => ({
    name: 'web',
    inject: ['llm'],
    Config: z.object({ timeoutMs: z.number().default(5), apiKey: z.string(), baseUrl: z.string(), tags: z.array(z.string()) }),
    apply(ctx: Context) {
      ctx.on('probe/x' as never, (() => undefined) as never)
      ctx.inject(['nothing'], function later() {})
    },
  }),
  first: async () => ({ apply: (ctx: Context) => void ctx.on('probe/x' as never, (() => undefined) as never, { prepend: true }) }),
}

it('explains rows, values, listeners and what waits for trust, without secrets', async () => {
  const { boot, folder, path } = await setup({
    'cordis.yml': '- id: llm\n  name: llm\n  required: true\n- id: web\n  name: web\n  config:\n    apiKey: !env WEB_KEY\n    baseUrl: https://me:pw@example.org\n    tags: [a, b]\n- id: gone\n  name: ./gone.js\n- id: off\n  name: llm\n  disabled: true\n  config: { x: 1 }\n',
    'settings.yml': 'model: big\nrows:\n  web: { tags: [c] }\n',
    'project.yml': 'plugins:\n  - id: evil\n    name: ./evil.js\n',
  }, BUILTINS)
  const running = await boot({}, { env: { WEB_KEY: 'sk-12345' }, projectSettings: path('project.yml'), extraRows: [{ id: 'first', name: 'first' }] })

  const explained = JSON.parse(JSON.stringify(explain(running, { contributors: { tools: () => ['bash', 'read'] } })).replaceAll(folder, 'ROOT'))

  expect(explained).toEqual({
    model: { value: 'big', from: 'ROOT/settings.yml:1' },
    rows: [
      { id: 'llm', name: 'llm', state: 'active', required: true, origin: 'composition', position: 'ROOT/cordis.yml:1:3', config: [], provides: ['llm'], requires: [], nested: [] },
      {
        id: 'web',
        name: 'web',
        state: 'active',
        required: false,
        origin: 'composition',
        position: 'ROOT/cordis.yml:4:3',
        config: [
          { path: 'timeoutMs', value: 5, from: 'default' },
          { path: 'apiKey', value: '********', from: 'ROOT/cordis.yml:7', env: 'WEB_KEY' },
          { path: 'baseUrl', value: 'https://********@example.org', from: 'ROOT/cordis.yml:8' },
          { path: 'tags.0', value: 'c', from: 'ROOT/settings.yml:3' },
        ],
        provides: [],
        requires: [{ service: 'llm', met: true }],
        nested: [{ name: 'later', state: 'waiting', detail: 'nothing' }],
      },
      { id: 'gone', name: './gone.js', state: 'failed', required: false, origin: 'composition', position: 'ROOT/cordis.yml:10:3', problem: 'there is no file ./gone.js, seen from ROOT/cordis.yml', config: [], provides: [], requires: [], nested: [] },
      { id: 'off', name: 'llm', state: 'disabled', required: false, origin: 'composition', position: 'ROOT/cordis.yml:12:3', config: [{ path: 'x', value: 1, from: 'ROOT/cordis.yml:15' }], provides: [], requires: [], nested: [] },
      { id: 'first', name: 'first', state: 'active', required: false, origin: 'command line', position: 'command line', config: [], provides: [], requires: [], nested: [] },
    ],
    events: [{ name: 'probe/x', listeners: [{ row: 'first', plugin: 'first' }, { row: 'web', plugin: 'web' }] }],
    untrusted: [{ setting: 'plugins.evil', position: 'ROOT/project.yml:2:5' }],
    trusted: [],
    contributions: { tools: ['bash', 'read'] },
  })
  expect(renderExplained(explained).split('\n').slice(0, 11)).toEqual([
    'model big  (ROOT/settings.yml:1)',
    '',
    'active   llm  required  (composition, ROOT/cordis.yml:1:3)',
    '    provides llm',
    '',
    'active   web  (composition, ROOT/cordis.yml:4:3)',
    '    timeoutMs = 5  (default)',
    '    apiKey = ********  (ROOT/cordis.yml:7, WEB_KEY)',
    '    baseUrl = https://********@example.org  (ROOT/cordis.yml:8)',
    '    tags.0 = c  (ROOT/settings.yml:3)',
    '    requires llm',
  ])
})

it('renders values on one line, cut and without control characters', () => {
  const values = ['plain (text)', 'two\nlines', '\u001b[31mred', 'x'.repeat(200), '', { a: 1 }]
  const config = values.map((value, index) => ({ path: `v${index}`, value, from: 'default' }))
  const explained: Explained = {
    model: { value: '\u001b]0;title\u0007m\u009b2J', from: 'default' },
    rows: [{ id: 'a', name: 'a', state: 'active', required: false, origin: 'command line', position: 'command line', config, provides: [], requires: [], nested: [] }],
    events: [],
    untrusted: [],
    trusted: [],
    contributions: {},
  }

  expect(renderExplained(explained).split('\n')).toEqual([
    'model m  (default)',
    '',
    'active   a  (command line)',
    '    v0 = plain (text)  (default)',
    '    v1 = "two\\nlines"  (default)',
    '    v2 = "\\u001b[31mred"  (default)',
    `    v3 = ${'x'.repeat(120)}… (200 characters)  (default)`,
    '    v4 = ""  (default)',
    '    v5 = {"a":1}  (default)',
    '',
  ])
})
