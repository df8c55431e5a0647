/** The tool `read`: a window of a text file, with line numbers. */

import { FsError, toObservationMeta, type FsLines, type FsObservation } from '@deepseek-ai/dsh-fs'
import { defineTool, text, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { FileAccess } from './file-access.ts'
import { renderImage, renderRead } from './render-read.ts'

export interface ReadLimits {
  /** Lines of one call; also the default. */
  maxLines: number
  maxBytes: number
  maxLineLength: number
}

export function readTool(access: FileAccess, { maxLines, maxBytes, maxLineLength }: ReadLimits): ToolDefinition {
  return defineTool({
    name: 'read',
    description: `Read a text file. Every line is shown as "<number>: <text>"; the number and ": " are not part of the file. Shows up to ${maxLines} lines from offset; the last line of the result says how to read on.`,
    kind: 'read',
    concurrency: 'parallel',
    parameters: {
      file_path: { type: 'string', required: true, description: 'Absolute, or relative to the working directory.' },
      offset: { type: 'integer', minimum: 1, description: 'First line to show, from 1. Default 1.' },
      limit: { type: 'integer', minimum: 1, description: `Most lines to show. Default and maximum ${maxLines}.` },
    },
    async execute({ file_path, offset = 1, limit = maxLines }, call) {
      const { signal, cwd } = call
      const { fs } = access.ctx
      const target = await fs.resolve(file_path, { cwd, lookalike: true, signal })
      try {
        const found = await access.read(target, call, () => fs.readLines(target, { offset, limit: Math.min(limit, maxLines), maxBytes, maxLineLength }, signal))
        const observation = observationOf(found)
        access.observe(target, observation, call)
        return { content: [text(renderRead(target, found))], meta: toObservationMeta(target, observation) }
      } catch (error) {
        const image = error instanceof FsError && error.code === 'FS_NOT_TEXT' ? error.details : undefined
        if (!image?.mediaType?.startsWith('image/')) throw error
        return [text(renderImage(target, image.mediaType, image.size ?? 0))]
      }
    },
    presentCall: ({ file_path, offset }) => ({ card: 'generic', title: `Read ${file_path}`, kind: 'read', locations: [{ path: file_path, ...(offset !== undefined && { line: offset }) }] }),
    presentResult: (_args, result) => ({ card: 'generic', content: result.content }),
  })
}

/** Lines that were cut count as seen: the model knows that they go on. */
function observationOf({ lines, totalLines, version, more }: FsLines): FsObservation {
  const [from, to] = [lines[0]?.number ?? 1, lines.at(-1)?.number ?? 0]
  if (from === 1 && !more) return { by: 'read', version }
  // An unknown total is at least one more than what was shown.
  return { by: 'read', version, range: { from, to, total: totalLines ?? to + 1 } }
}
