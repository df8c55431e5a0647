/** `dsh trust`: shows what a project would do, asks, and records or forgets the answer. */

import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { EXIT, type ExitCode } from '@deepseek-ai/dsh-front-door'
import { plural, stripControls } from '@deepseek-ai/dsh-text'
import { confirm } from './confirm.ts'
import { FOLDER, realPathIfThere, realPathOf } from './fingerprint.ts'
import { describeChanges, judgeProject, judgeRecord, type Change, type ProjectState } from './judge-project.ts'
import { renderSurvey } from './render-survey.ts'
import { surveyProject, type Survey } from './survey-project.ts'
import { changeTrust, readTrust, type TrustRecord } from './trust-store.ts'
import type { TrustTools } from './types.ts'

/** Throws `USAGE` for a directory that is not there, what reading the project's settings throws, and a `TrustError`. */
export async function trustCommand(dir: string, isYes: boolean, tools: TrustTools): Promise<ExitCode> {
  const { terminal, trustFile } = tools
  const project = projectOf(dir)
  // A record that cannot be read would only be found out after the question.
  readTrust(trustFile)
  const state = judgeProject(project, trustFile)
  const survey = await surveyProject(project, tools)
  if (Object.keys(survey.digests).length === 0) {
    terminal.stdout.write(`${stripControls(project)} has no ${FOLDER} folder: there is nothing to trust\n`)
    return EXIT.completed
  }
  terminal.stdout.write(renderSurvey(project, survey, state))
  if (state.kind === 'trusted') {
    terminal.stderr.write('dsh: this project is trusted, and nothing changed since\n')
    return EXIT.completed
  }
  return await decide(project, survey, isYes, tools)
}

/** Forgets a project. Throws `USAGE` when it is not trusted. */
export async function revokeCommand(dir: string, { terminal, trustFile }: TrustTools): Promise<ExitCode> {
  const project = realPathIfThere(resolve(dir)) ?? resolve(dir)
  if (!Object.hasOwn(readTrust(trustFile), project)) throw new HarnessError('USAGE', `${project} is not trusted; dsh trust --list shows what is`)
  await changeTrust(trustFile, ({ [project]: _, ...others }) => others)
  terminal.stderr.write(`dsh: ${stripControls(project)} is trusted no longer\n`)
  return EXIT.completed
}

/** Lists what is trusted, and what became of it. */
export function listTrustCommand({ terminal, trustFile, json }: TrustTools): ExitCode {
  const projects = Object.entries(readTrust(trustFile)).map(([path, record]) => ({ path, trustedAt: record.trustedAt, files: Object.keys(record.files).length, ...stateNow(path, record) }))
  if (json) terminal.stdout.write(`${JSON.stringify(projects, null, 2)}\n`)
  else if (projects.length === 0) terminal.stderr.write('dsh: no project is trusted\n')
  else for (const { path, trustedAt, files, state, changes } of projects) terminal.stdout.write(`${stripControls(`${path}  ${state}, ${plural(files, 'file')}, since ${trustedAt}${changes.length > 0 ? `: ${describeChanges(changes)}` : ''}`)}\n`)
  return EXIT.completed
}

async function decide(project: string, survey: Survey, isYes: boolean, { terminal, trustFile }: TrustTools): Promise<ExitCode> {
  const { stdin, stderr } = terminal
  if (!isYes) {
    if (stdin.isTTY !== true || stderr.isTTY !== true) {
      stderr.write('dsh: not trusted: there is no terminal to ask on; dsh trust --yes trusts it as it is now\n')
      return EXIT.usage
    }
    if (!(await confirm(terminal, 'Trust this project? [y/N] '))) {
      stderr.write('dsh: not trusted\n')
      return EXIT.error
    }
  }
  await changeTrust(trustFile, records => ({ ...records, [project]: { trustedAt: new Date().toISOString(), files: survey.digests } }))
  stderr.write(`dsh: trusted as it is now: ${stripControls(project)}\n`)
  return EXIT.completed
}

/** Without links. `.dsh` itself stands for the project around it. */
function projectOf(dir: string): string {
  const path = basename(resolve(dir)) === FOLDER ? dirname(resolve(dir)) : resolve(dir)
  if (!existsSync(path) || !statSync(path).isDirectory()) throw new HarnessError('USAGE', `${path} is not a directory`)
  return realPathOf(path)
}

function stateNow(path: string, record: TrustRecord): { state: 'trusted' | 'changed' | 'missing' | 'unknown'; changes: Change[] } {
  if (realPathIfThere(path) !== path) return { state: 'missing', changes: [] }
  const state = stateOrProblem(path, record)
  if (state.kind === 'trusted' || state.kind === 'changed') return { state: state.kind, changes: state.kind === 'changed' ? state.changes : [] }
  return { state: 'unknown', changes: [] }
}

/** One project that cannot be read leaves the others in the list. */
function stateOrProblem(path: string, record: TrustRecord): ProjectState {
  try {
    return judgeRecord(path, record)
  } catch (error) {
    return { kind: 'unknown', problem: (error as Error).message }
  }
}
