/** The tool `edit`: exact replacements in one file, all of them or none. */

import { FsError, type FsEditOutcome, type FsEditRequest, type FsTarget } from '@deepseek-ai/dsh-fs'
import { plural } from '@deepseek-ai/dsh-text'
import { defineTool, text, type FileDiff, type InferArgs, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { changeMeta, presentChange } from './change-meta.ts'
import type { FileAccess } from './file-access.ts'

const PARAMETERS = {
  file_path: { type: 'string', required: true, description: 'Absolute, or relative to the working directory.' },
  old_string: { type: 'string', description: 'The text to replace, exactly as in the file, without line numbers.' },
  new_string: { type: 'string', description: 'The text to put there.' },
  replace_all: { type: 'boolean', description: 'Replace every occurrence. Default false: old_string must be unique.' },
  edits: {
    type: 'array',
    description: 'Several replacements instead of one, applied one after the other; if one fails, none is applied.',
    items: {
      type: 'object',
      properties: {
        old_string: { type: 'string', required: true },
        new_string: { type: 'string', required: true },
        replace_all: { type: 'boolean' },
      },
    },
  },
} as const

type EditArgs = InferArgs<typeof PARAMETERS>

export function editTool(access: FileAccess, mostDiff: number): ToolDefinition {
  return defineTool({
    name: 'edit',
    description: 'Replace text in a file that you have read. Give old_string and new_string, or edits. old_string must match exactly, blanks and tabs included, and be unique unless replace_all is set; the rest of the file stays byte for byte.',
    kind: 'edit',
    parameters: PARAMETERS,
    async execute(args, call) {
      const edits = requestsOf(args)
      const target = await access.ctx.fs.resolve(args.file_path, { cwd: call.cwd, lookalike: true, signal: call.signal })
      const outcome = await access.edit(target, edits, call)
      const operation = outcome.before === outcome.after ? 'unchanged' : 'update'
      return { content: [text(renderEdit(target, outcome))], meta: await changeMeta(target, { by: 'edit', operation, ...outcome }, mostDiff) }
    },
    presentCall: args => ({ card: 'diff', title: `Edit ${args.file_path}`, diffs: diffsOf(args), locations: [{ path: args.file_path }] }),
    presentResult: (_args, result) => presentChange(result),
  })
}

/** Models that use `edits` often send the single form too, empty. */
function requestsOf({ old_string, new_string, replace_all, edits }: EditArgs): FsEditRequest[] {
  const single = old_string !== undefined && old_string !== ''
  if (edits && edits.length > 0) {
    if (single) throw new FsError('FS_INVALID_EDIT', 'give either old_string and new_string, or edits, not both')
    return edits.map(each => ({ oldString: each.old_string, newString: each.new_string, replaceAll: each.replace_all ?? replace_all ?? false }))
  }
  if (old_string === undefined || new_string === undefined) throw new FsError('FS_INVALID_EDIT', 'nothing to replace: give old_string and new_string, or edits')
  return [{ oldString: old_string, newString: new_string, replaceAll: replace_all ?? false }]
}

function diffsOf({ file_path: path, old_string, new_string, edits }: EditArgs): FileDiff[] {
  if (edits && edits.length > 0) return edits.map(each => ({ path, oldText: each.old_string, newText: each.new_string }))
  return [{ path, oldText: old_string ?? '', newText: new_string ?? '' }]
}

function renderEdit({ displayPath, lookalike }: FsTarget, { edits, before, after }: FsEditOutcome): string {
  const total = edits.reduce((sum, { replacements }) => sum + replacements, 0)
  const where = edits.map(({ line }) => line)
  const at = edits.length > 1 ? `, first at lines ${where.join(', ')}` : total > 1 ? `, first at line ${where[0]}` : ` at line ${where[0]}`
  const count = edits.length > 1 ? `${plural(edits.length, 'edit')}, ${plural(total, 'replacement')}` : plural(total, 'replacement')
  const name = lookalike ? `${displayPath} (no file has exactly the name that was given)` : displayPath
  return `Edited ${name}: ${count}${at}.${before === after ? ' Together they change nothing.' : ''}`
}
