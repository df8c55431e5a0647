import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { readCatalog } from '../../scripts/gen-catalog/read-catalog.ts'
import { renderCatalog } from '../../scripts/gen-catalog/render-catalog.ts'

const files = {
  'packages/core/notes/package.json': '{ "name": "@deepseek-ai/dsh-notes", "dsh": { "role": "interface" } }',
  'packages/core/notes/src/notes.ts': `/** \`ctx.notes\`: what is noted, e.g. by hand. And more. */
import { Service, type Context } from 'cordis'
declare module 'cordis' { interface Context { notes: Notes; [key]?: Other } }
export class Notes extends Service {
  static readonly provide = 'notes'
  private readonly kept = new Map()
  #hidden = 1
  /** How many there are. */
  get size(): number { return 0 }
  readonly limit: number = 5
  constructor(ctx: Context) { super(ctx, 'notes') }
  /** Adds one: kept until the end. Throws. */
  async add(
    text: string,
    /** which */
    options: { at?: number } = {},
  ): Promise<void> { this.ctx.emit(this, 'notes/added', text) }
  private forget(): void {}
}
`,
  'packages/core/notes/src/events.ts': `/** Events. */
declare module 'cordis' {
  interface Events {
    /** A note came. */
    'notes/added'(text: string): void
    'notes/ask'(text: string, next: () => Promise<string>): Promise<string>
    'notes/save'(): Promise<void>
  }
}
declare module '@deepseek-ai/dsh-session' {
  interface SessionEventMap {
    /** Somebody noted something. */
    'notes/write': {
      text: string
      /** When. */
      at: number
    }
  }
}
`,
  'packages/feature/tool-notes/package.json': '{ "name": "@deepseek-ai/dsh-tool-notes", "dsh": { "role": "consumer" } }',
  'packages/feature/tool-notes/src/plugin.ts': `/** Tools. */
const parameters = { text: { type: 'string', required: true }, at: { type: 'number' } } as const
export const note = defineTool({ name: 'note', description: \`Note up to \${MOST} things.\`, parameters, async execute() {} })
export function apply(ctx) {
  ctx.tools.register({ name: 'notes', description: 'List ' + 'them.', parameters: { type: 'object', properties: { q: {}, n: {} }, required: ['q'] }, execute })
  ctx.tools.register(note)
}
`,
  'packages/util/plain/package.json': '{ "name": "@deepseek-ai/dsh-plain", "dsh": { "role": "util" } }',
}

it('lists what packages offer, from nothing but their sources', async () => {
  const root = await mkdtemp(join(tmpdir(), 'dsh-catalog-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  expect(renderCatalog(readCatalog(root))).toBe(`# Catalog

Generated from the sources by \`node scripts/gen-catalog.ts\`; edit those, not this page.

| package | role | offers |
|---|---|---|
| [notes](../packages/core/notes) | interface | \`ctx.notes\`, 3 events, 1 log event |
| [tool-notes](../packages/feature/tool-notes) | consumer | tool \`note\`, tool \`notes\` |
| [plain](../packages/util/plain) | util |  |

## notes

### \`ctx.notes\`: Notes

what is noted, e.g. by hand.

* \`readonly size: number\`: How many there are.
* \`readonly limit: number\`
* \`add(text: string, options: { at?: number } = {}): Promise<void>\`: Adds one: kept until the end.

### Events

* **notes/added** (emit) \`(text: string): void\`: A note came.
* **notes/ask** (waterfall) \`(text: string, next: () => Promise<string>): Promise<string>\`
* **notes/save** (parallel) \`(): Promise<void>\`

### Log events

* **notes/write** \`{ text: string; at: number }\`: Somebody noted something.

## tool-notes

### Tools

* **note** (text*, at): Note up to … things.
* **notes** (q*, n): List them.
`)
  await rm(root, { recursive: true })
})
