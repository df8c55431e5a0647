/** The whole filesystem capability over a folder of its own, and a short way to call its tools. */

import { LocalFileSystem } from '@deepseek-ai/dsh-fs-local'
import * as fsPolicy from '@deepseek-ai/dsh-fs-policy'
import { harness, tempWorkspace, type Harness, type HarnessOptions, type Workspace } from '@deepseek-ai/dsh-testkit'
import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'
import * as toolFs from '../src/index.ts'

export interface Tools extends AsyncDisposable {
  h: Harness
  workspace: Workspace
  /** The text of the result, with `!CODE ` before it when it is an error. */
  use(tool: string, args: JsonObject): Promise<string>
  meta(tool: string, args: JsonObject): Promise<JsonValue | undefined>
}

export interface SetUp {
  files?: Readonly<Record<string, string>>
  config?: object
  /** Without read-before-write. */
  unguarded?: true
  model?: HarnessOptions['model']
}

export async function setUp({ files, config = {}, unguarded, model = [] }: SetUp = {}): Promise<Tools> {
  const workspace = await tempWorkspace(files)
  const plugins: NonNullable<HarnessOptions['plugins']> = [[LocalFileSystem as never, {}], ...(unguarded ? [] : [[fsPolicy as never, {}] as const]), [toolFs as never, config]]
  const h = await harness({ model, plugins, create: { meta: { cwd: workspace.path } } })
  let calls = 0
  const run = (name: string, args: JsonObject) =>
    h.ctx.tools.execute({ callId: `c${calls++}`, name, arguments: args, cwd: workspace.path, signal: new AbortController().signal, ...(!unguarded && { agent: h.agent }) })
  return {
    h,
    workspace,
    async use(tool, args) {
      const { content, isError, error } = await run(tool, args)
      const shown = content.map(block => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
      return isError ? `!${error?.code ?? ''} ${shown}` : shown
    },
    meta: async (tool, args) => (await run(tool, args)).meta,
    async [Symbol.asyncDispose]() {
      await h.dispose()
      await workspace.dispose()
    },
  }
}
