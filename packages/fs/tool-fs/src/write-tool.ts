/** The tool `write`: the whole content of a file. */

import { ABSENT, FsError, stripGutter, type FsTarget, type FsWriteOutcome } from '@deepseek-ai/dsh-fs'
import { plural } from '@deepseek-ai/dsh-text'
import { defineTool, text, type ToolCall, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { countLines } from './bounded-diff.ts'
import { changeMeta, presentChange } from './change-meta.ts'
import type { FileAccess } from './file-access.ts'

export function writeTool(access: FileAccess, mostDiff: number): ToolDefinition {
  return defineTool({
    name: 'write',
    description: 'Create a file, or replace the whole content of one that you have read. Missing directories are made. To change a part of a file, use edit.',
    kind: 'edit',
    parameters: {
      file_path: { type: 'string', required: true, description: 'Absolute, or relative to the working directory.' },
      content: { type: 'string', required: true, description: 'The whole content, written exactly as it is.' },
    },
    async execute({ file_path, content }, call) {
      if (/[\\/]$/.test(file_path)) throw new FsError('FS_INVALID_PATH', `"${file_path}" names a directory; directories are made when a file is written into them`)
      const target = await access.ctx.fs.resolve(file_path, { cwd: call.cwd, signal: call.signal })
      await refuseNumbers(access, { target, content, call })
      const outcome = await access.write(target, content, call)
      return { content: [text(renderWrite(target, outcome))], meta: await changeMeta(target, { by: 'write', ...outcome }, mostDiff) }
    },
    presentCall: ({ file_path, content }) => ({ card: 'diff', title: `Write ${file_path}`, diffs: [{ path: file_path, oldText: null, newText: content }], locations: [{ path: file_path }] }),
    presentResult: ({ content }, result) => presentChange(result, content),
  })
}

function renderWrite({ displayPath }: FsTarget, { operation, before, after, format }: FsWriteOutcome): string {
  const lines = plural(countLines(after), 'line')
  if (operation === 'unchanged') return `${displayPath} has exactly this content already (${lines}); it was not touched.`
  if (operation === 'create') return `Created ${displayPath} (${lines}).`
  const was = before === null ? '' : `, before ${countLines(before)}`
  const kept = format.encoding === 'utf-8' && !format.bom ? '' : ` Its encoding was kept: ${format.encoding} with a byte order mark.`
  const endings = before?.includes('\r\n') && !after.includes('\r\n') ? ' Its line ends were CRLF and are LF now.' : ''
  return `Updated ${displayPath} (${lines}${was}).${kept}${endings}`
}

/** A whole view with its line numbers is not what the file should become, unless the file is like that. */
async function refuseNumbers({ ctx }: FileAccess, { target, content, call }: { target: FsTarget; content: string; call: ToolCall }): Promise<void> {
  const numbered = stripGutter(content)
  if (!numbered?.consecutive || numbered.first !== 1 || numbered.lines < 2) return
  if ((await ctx.fs.version(target, call.signal)) === ABSENT) return
  const { text: existing } = await ctx.fs.readText(target, call.signal)
  if (existing !== '' && !stripGutter(existing)) throw new FsError('FS_LINE_NUMBERS', 'the content begins every line with a line number as the read view shows it; give the content without the numbers')
}
