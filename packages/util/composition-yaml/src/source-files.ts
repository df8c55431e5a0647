/** Reads the files of a composition and remembers which were looked at, for whoever watches them. */

import { isUtf8 } from 'node:buffer'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { parseYaml } from './parse-yaml.ts'
import { CompositionError, type Problem } from './problem.ts'
import { relocate, type YamlNode } from './yaml-node.ts'

/** Larger files are no compositions. */
const MOST_BYTES = 1_048_576

/** A file parsed ahead of time, as plain JSON: what `precompile` answers. */
export interface Precompiled {
  root?: YamlNode
}

/** Parses a composition for `PlanOptions.precompiled`. Throws `CompositionError` on what `readPlan` would refuse as YAML. */
export async function precompile(text: string): Promise<Precompiled> {
  const { root, problems } = await parseYaml(text, 'cordis.yml')
  if (problems.length > 0) throw new CompositionError(problems)
  return root === undefined ? {} : { root }
}

/** One per plan: collects what was read and what was wrong. */
export class SourceFiles {
  readonly files: string[] = []
  readonly problems: Problem[] = []
  private readonly precompiled: Readonly<Record<string, Precompiled>>

  constructor(precompiled: Readonly<Record<string, Precompiled>> = {}) {
    this.precompiled = precompiled
  }

  /** The tree of a file; undefined when it is empty, broken, or absent while `optional`. `judge` is shown the very bytes that are parsed. */
  async read(file: string, optional: boolean, judge?: (bytes: Uint8Array) => void): Promise<YamlNode | undefined> {
    if (!this.files.includes(file)) this.files.push(file)
    const ready = this.precompiled[file]
    if (ready !== undefined) return ready.root === undefined ? undefined : relocate(ready.root, file)
    const text = this.readText(file, optional, judge)
    if (text === undefined) return undefined
    const { root, problems } = await parseYaml(text, file)
    this.problems.push(...problems)
    return root
  }

  private readText(file: string, optional: boolean, judge?: (bytes: Uint8Array) => void): string | undefined {
    try {
      // Small, and everything waits for it: through the thread pool it would take longer.
      const bytes = readBounded(file, !optional)
      judge?.(bytes)
      if (bytes.length > MOST_BYTES) this.refuse(file, `the file is larger than ${MOST_BYTES} bytes`)
      else if (isUtf8(bytes)) return bytes.toString()
      else this.refuse(file, 'the file is not UTF-8 text')
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      // ENOTDIR: the home is no folder, as for accounts that are not meant to have one.
      if (optional && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined
      this.refuse(file, `the file cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}`)
    }
    return undefined
  }

  private refuse(file: string, message: string): void {
    this.problems.push({ code: 'cannot-read', message, position: { file, line: 0, column: 0 } })
  }
}

/**
 * The file, or as much of it as shows that it is too large. A settings file that comes with a project
 * may be a link to a device or a pipe, which would never end: nothing is waited for there.
 */
function readBounded(file: string, isPatient: boolean): Uint8Array {
  const descriptor = openSync(file, constants.O_RDONLY | (isPatient ? 0 : constants.O_NONBLOCK))
  try {
    const bytes = Buffer.allocUnsafe(MOST_BYTES + 1)
    let length = 0
    let count = 1
    while (count > 0 && length < bytes.length) {
      count = readSync(descriptor, bytes, length, bytes.length - length, null)
      length += count
    }
    return bytes.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}
