/** What can be wrong with a composition, seen from outside: a positioned complaint and exit code 2, or a listed row and a run that goes on. */

import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { sandbox, type Run } from './program.ts'

const builtIn = await readFile(new URL('../../cordis.yml', import.meta.url), 'utf8')
const firstLine = builtIn.split('\n').length + 1

interface Mistake {
  /** The rows, which all begin with `- id`; `required: true` is added to each for the strict variant. */
  rows: string
  files?: Record<string, string>
  /** Position and words. */
  says: RegExp
  /** A mistake in the file itself ends the boot whoever needs the row. */
  always?: true
}

const MISTAKES: Record<string, Mistake> = {
  'a typo in the name of a row': {
    rows: "- id: tool-bsh\n  name: '@deepseek-ai/dsh-tool-bsh'\n",
    says: new RegExp(`cordis\\.yml:${firstLine}:3: (row "tool-bsh": )?unknown plugin @deepseek-ai/dsh-tool-bsh \\(did you mean "@deepseek-ai/dsh-tool-bash"\\?\\)`),
  },
  'an unknown key': {
    rows: "- id: more-retries\n  name: '@deepseek-ai/dsh-llm-retry'\n  config:\n    maxAttemps: 3\n",
    says: new RegExp(`cordis\\.yml:${firstLine + 3}:\\d+: row "more-retries": unknown key "maxAttemps" \\(did you mean "maxAttempts"\\?\\)`),
    always: true,
  },
  'a service that nobody provides': {
    rows: '- id: needy\n  name: ./needy.js\n',
    files: { 'needy.js': 'export const inject = ["teleport"]\nexport function apply() {}\n' },
    says: new RegExp(`cordis\\.yml:${firstLine}:3: (row "needy": )?waits for the service "teleport", which no mounted row provides`),
  },
  'rows that wait for one another': {
    rows: '- id: hen\n  name: ./hen.js\n- id: egg\n  name: ./egg.js\n',
    files: {
      'hen.js': 'import { Service } from "cordis"\nexport default class extends Service { static provide = "hen"; static inject = ["egg"]; constructor(ctx) { super(ctx, "hen") } }\n',
      'egg.js': 'import { Service } from "cordis"\nexport default class extends Service { static provide = "egg"; static inject = ["hen"]; constructor(ctx) { super(ctx, "egg") } }\n',
    },
    says: new RegExp(`cordis\\.yml:${firstLine}:3: (row "hen": )?the rows wait for one another: hen → egg → hen`),
  },
  'a plugin that is not there': {
    rows: '- id: ghost\n  name: ./ghost.ts\n',
    says: new RegExp(`cordis\\.yml:${firstLine}:3: (row "ghost": )?there is no file \\./ghost\\.ts`),
  },
  'a plugin that throws': {
    rows: '- id: bomb\n  name: ./bomb.js\n',
    files: { 'bomb.js': 'export function apply() { throw new Error("boom") }\n' },
    says: new RegExp(`cordis\\.yml:${firstLine}:3: (row "bomb": )?plugin \\./bomb\\.js failed to start: boom`),
  },
  'a second copy of the framework': {
    rows: '- id: second\n  name: ./second.js\n',
    files: {
      'second.js': 'import { Service } from "./node_modules/cordis/index.js"\nexport default class extends Service {}\n',
      'node_modules/cordis/package.json': '{ "name": "cordis", "version": "0.0.1", "type": "module", "exports": "./index.js" }',
      'node_modules/cordis/index.js': 'export class Service {}\n',
    },
    says: new RegExp(`cordis\\.yml:${firstLine}:3: (row "second": )?a second copy of the framework: .*second\\.js imports cordis 0\\.0\\.1`),
  },
}

async function runWith(rows: string, files: Record<string, string> = {}): Promise<Run> {
  await using box = await sandbox({ ...files, 'cordis.yml': `${builtIn}\n${rows}` })
  return await box.run(['-p', '-m', 'offline', '--config', 'cordis.yml', 'hello'])
}

it.each(Object.entries(MISTAKES))('ends with 2 and the place of %s in a required row', async (_what, { rows, files, says }) => {
  const run = await runWith(rows.replaceAll(/^(- id.*)$/gm, '$1\n  required: true'), files)

  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: '' })
  // The added lines move what stands below them.
  expect(run.stderr).toMatch(new RegExp(says.source.replace(`:${firstLine + 3}:`, `:${firstLine + 4}:`)))
})

it.each(Object.entries(MISTAKES))('names %s in an optional row with its place', async (_what, { rows, files, says, always }) => {
  const run = await runWith(rows, files)

  expect(run.code).toBe(always ? 2 : 0)
  expect(run.stderr).toMatch(says)
  if (!always) expect(run.stderr).toMatch(/^dsh: going on without /m)
})

it('tells of everything that is wrong at once', async () => {
  const { code, stderr } = await runWith('- id: ghost\n  name: ./ghost.ts\n  required: true\n- id: ghost2\n  name: ./ghost2.ts\n  required: true\n')

  expect(code).toBe(2)
  expect(stderr.trimEnd().split('\n')).toHaveLength(2)
})

it('shows a row that could not start in dsh explain, with the reason', async () => {
  await using box = await sandbox({ 'cordis.yml': `${builtIn}\n- id: bomb\n  name: ./bomb.js\n`, 'bomb.js': 'export function apply() { throw new Error("boom") }\n' })

  const { code, stdout } = await box.run(['explain', '--config', 'cordis.yml'])

  expect(code).toBe(0)
  expect(stdout).toMatch(/^failed {3}bomb {2}\.\/bomb\.js .*\n {4}plugin \.\/bomb\.js failed to start: boom$/m)
})
