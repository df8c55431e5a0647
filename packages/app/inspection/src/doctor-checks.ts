/** The checks of `dsh doctor`. */

import { access, constants, stat } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { maskText } from '@deepseek-ai/dsh-composition'
import type { Check } from './doctor.ts'
import { NO_POLICY } from './explain-permission.ts'

export interface DoctorFacts {
  env: NodeJS.ProcessEnv
  /** Where settings and data are. */
  paths: { config: string; data: string }
  /** What is wrong with the composition; undefined when it is sound. */
  compositionProblem: string | undefined
  /** How the project stands; undefined where it has no settings. */
  project: { kind: string; described: string; heldBack: number } | undefined
  /** The permission mode; undefined where no plugin decides about permissions. */
  permissionMode: string | undefined
  /** Address and key of the default adapter as composed. */
  endpoint: { baseURL: string; hasKey: boolean }
  terminal: { isTTY: boolean; columns: number | undefined; term: string | undefined }
}

const OLDEST_NODE = 24

export function createChecks(facts: DoctorFacts): Check[] {
  return [checkNode(), checkComposition(facts), checkProject(facts), checkPermissions(facts), checkKey(facts), checkEndpoint(facts), checkProgram(facts, 'bash', 'install bash; without it the bash tool falls back to sh'), checkProgram(facts, 'git', 'install git; without it the agent cannot look at history'), checkRipgrep(), checkFolder('settings', facts.paths.config), checkFolder('data', facts.paths.data), checkTerminal(facts)]
}

function checkNode(): Check {
  return {
    name: 'node',
    async run() {
      const version = process.versions.node
      const isOk = Number.parseInt(version, 10) >= OLDEST_NODE
      return isOk ? { state: 'ok', detail: version } : { state: 'fail', detail: version, fix: `install Node ${OLDEST_NODE} or newer` }
    },
  }
}

function checkComposition({ compositionProblem }: DoctorFacts): Check {
  return {
    name: 'composition',
    async run() {
      if (compositionProblem === undefined) return { state: 'ok', detail: 'every row is up; dsh explain shows them' }
      return { state: 'fail', detail: compositionProblem, fix: 'mend the file at the position given' }
    },
  }
}

function checkPermissions({ compositionProblem, permissionMode }: DoctorFacts): Check {
  return {
    name: 'permissions',
    async run() {
      if (permissionMode !== undefined) return { state: 'ok', detail: `mode ${permissionMode}; dsh explain permission shows the rules` }
      if (compositionProblem !== undefined) return { state: 'warn', detail: 'not known, the composition is not up', fix: 'mend the composition first' }
      return { state: 'warn', detail: NO_POLICY, fix: 'mount the rows approval and permission-rules' }
    },
  }
}

function checkKey({ endpoint }: DoctorFacts): Check {
  return {
    name: 'key',
    async run() {
      if (endpoint.hasKey) return { state: 'ok', detail: 'present' }
      return { state: 'warn', detail: 'none: the offline model answers', fix: 'dsh auth, or /login in a conversation, or export DEEPSEEK_API_KEY=…' }
    },
  }
}

/** Any answer will do, whatever its status: it shows that the address is right and can be reached. */
function checkEndpoint({ endpoint }: DoctorFacts): Check {
  const shown = maskText(endpoint.baseURL)
  return {
    name: 'endpoint',
    async run(signal) {
      if (!endpoint.hasKey) return { state: 'warn', detail: `${shown} not tried, there is no key`, fix: 'set a key first' }
      try {
        const response = await fetch(modelsOf(endpoint.baseURL), { signal, redirect: 'manual' })
        await response.body?.cancel()
        return { state: 'ok', detail: `${shown} answers` }
      } catch (error) {
        const cause = (error as Error).cause
        return { state: 'fail', detail: maskText(`${shown}: ${cause instanceof Error ? cause.message : (error as Error).message}`), fix: 'check DEEPSEEK_BASE_URL, the network and the proxy' }
      }
    },
  }
}

/** Without name and password, which `fetch` refuses: the address can be reached without them. */
function modelsOf(baseURL: string): URL {
  const url = new URL(baseURL)
  url.username = ''
  url.password = ''
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/models`
  return url
}

function checkProgram({ env }: DoctorFacts, program: string, fix: string): Check {
  return {
    name: program,
    async run() {
      for (const folder of (env['PATH'] ?? '').split(delimiter)) {
        const path = join(folder, program)
        if (folder !== '' && (await isExecutable(path))) return { state: 'ok', detail: path }
      }
      return { state: 'warn', detail: 'not on PATH', fix }
    },
  }
}

function checkRipgrep(): Check {
  return {
    name: 'ripgrep',
    async run() {
      const { findRipgrep } = await import('@deepseek-ai/dsh-tool-fs-search')
      return { state: 'ok', detail: await findRipgrep() }
    },
  }
}

function checkProject({ project }: DoctorFacts): Check {
  return {
    name: 'project',
    async run() {
      if (project === undefined) return { state: 'ok', detail: 'no settings of its own here' }
      const { kind, described, heldBack } = project
      if (kind === 'trusted') return { state: 'ok', detail: described }
      if (kind === 'unknown') return { state: 'warn', detail: described, fix: 'mend or remove the file, then trust the project again' }
      if (heldBack === 0) return { state: 'ok', detail: `${described}; none of its settings needs that` }
      return { state: 'warn', detail: `${described}; settings held back: ${heldBack}`, fix: 'look at them with dsh trust' }
    },
  }
}

/** Looks without creating: the nearest thing that exists must be a folder that can be written. */
function checkFolder(name: string, folder: string): Check {
  return {
    name,
    async run() {
      let nearest = folder
      while (!(await exists(nearest)) && dirname(nearest) !== nearest) nearest = dirname(nearest)
      const isWritable = (await isFolder(nearest)) && (await canWrite(nearest))
      return isWritable ? { state: 'ok', detail: folder } : { state: 'warn', detail: `${folder} cannot be written`, fix: `make ${nearest} a folder that can be written, or set DSH_HOME to one` }
    },
  }
}

function checkTerminal({ terminal }: DoctorFacts): Check {
  return {
    name: 'terminal',
    async run() {
      const { isTTY, columns, term } = terminal
      if (!isTTY) return { state: 'ok', detail: 'none: output is piped' }
      if (term === undefined || term === 'dumb') return { state: 'warn', detail: `TERM is ${term ?? 'not set'}`, fix: 'set TERM to what the terminal is, for example xterm-256color' }
      return { state: 'ok', detail: `${term}, ${columns ?? '?'} columns` }
    },
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false)
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(found => found.isDirectory(), () => false)
}

async function canWrite(path: string): Promise<boolean> {
  return await access(path, constants.W_OK).then(() => true, () => false)
}

async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(() => true, () => false)
}
