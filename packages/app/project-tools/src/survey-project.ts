/** Finds everything in a project that would run, reach or permit something if it were trusted. Runs nothing. */

import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isOwnPlugin, type Plan, type PlanRow } from '@deepseek-ai/dsh-composition-yaml'
import { digestOf, filesBelow, fingerprint, FOLDER, nameOf, type Digests } from './fingerprint.ts'
import { followImports } from './follow-imports.ts'
import type { TrustTools } from './types.ts'

/** One line of what is asked about. */
export interface Finding {
  /** As it is written in settings: `plugins.<id>`, `rows.<id>.<path>`. */
  setting: string
  /** From the project, with slashes. */
  file: string
  line: number
  /** That line as it stands there. */
  text: string
}

export interface Survey {
  findings: Finding[]
  /** What the project's plugins are: files, and packages whose content is not fingerprinted. */
  plugins: { id: string; name: string; isFile: boolean }[]
  /** What is trusted, if it is. */
  digests: Digests
}

/** Of a project whose path is without links. Throws what reading its settings throws, and `TOO_MUCH`. */
export async function surveyProject(project: string, { readProject }: Pick<TrustTools, 'readProject'>): Promise<Survey> {
  const read = new Map<string, Uint8Array>()
  const plan = await readProject(project, (file, bytes) => {
    read.set(file, bytes)
    return true
  })
  const rows = plan.rows.filter(({ origin }) => origin === 'project settings')
  const files = rows.flatMap(row => fileOf(row) ?? [])
  // Imports may lead out of the folder.
  const digests = fingerprint(project, followImports([...read.keys(), ...files, ...filesBelow(join(project, FOLDER))]))
  // What was read and shown is what is trusted, even if it has been changed since.
  const shown = Object.fromEntries([...read].map(([file, bytes]) => [nameOf(project, file), digestOf(bytes)]))
  return {
    findings: plan.trusted.map(finding => describe(project, finding, read)),
    plugins: rows.map(row => ({ id: row.id, name: row.name, isFile: fileOf(row) !== undefined })).filter(({ name }) => !isOwnPlugin(name)),
    digests: { ...digests, ...shown },
  }
}

function fileOf({ name, position }: PlanRow): string | undefined {
  if (name.startsWith('file:')) return fileURLToPath(name)
  return name.startsWith('.') || isAbsolute(name) ? resolve(dirname(position.file), name) : undefined
}

function describe(project: string, { setting, position: { file, line } }: Plan['trusted'][number], read: ReadonlyMap<string, Uint8Array>): Finding {
  const lines = Buffer.from(read.get(file) ?? []).toString('utf8').split('\n')
  return { setting, file: nameOf(project, file), line, text: (lines[line - 1] ?? '').trim() }
}
