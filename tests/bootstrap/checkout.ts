/**
 * A small checkout with the real `scripts/bootstrap`, for tests of set-up from outside. Its pnpm and
 * its bundler are programs of a few lines that note that they ran; the path has a space and an é.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

/** How a run of the bootstrap ended; times are taken out of `stderr`. */
export interface Run {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

const FAKE_PNPM = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
appendFileSync('ran.log', 'dependencies\\n')
process.stdout.write(process.env.PNPM_SAYS ?? '')
await new Promise(resolve => setTimeout(resolve, Number(process.env.PNPM_TAKES_MS ?? 0)))
if (process.env.PNPM_EXITS) process.exit(Number(process.env.PNPM_EXITS))
mkdirSync('node_modules', { recursive: true })
writeFileSync('node_modules/.modules.yaml', '')
`

const FAKE_BUNDLER = `
import { appendFileSync, cpSync, mkdirSync } from 'node:fs'
appendFileSync('ran.log', 'bundle\\n')
mkdirSync('dist', { recursive: true })
cpSync('program.mjs', 'dist/dsh.mjs')
`

export class Checkout {
  readonly root = join(realpathSync(mkdtempSync(join(tmpdir(), 'dsh-checkout-'))), 'a b é')

  constructor() {
    cpSync(join(repository, 'scripts/bootstrap.mjs'), join(this.root, 'scripts/bootstrap.mjs'), { recursive: true })
    cpSync(join(repository, 'scripts/bootstrap'), join(this.root, 'scripts/bootstrap'), { recursive: true })
    cpSync(join(repository, 'tools'), join(this.root, 'tools'), { recursive: true })
    this.write('package.json', '{ "type": "module" }')
    this.write('pnpm-lock.yaml', 'lock: 1\n')
    this.write('packages/app/dsh/src/main.ts', 'one\n')
    this.write('scripts/bundle.ts', FAKE_BUNDLER)
    this.program('console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd() }))')
  }

  /** What `npm start` runs. */
  program(text: string): void {
    this.write('program.mjs', text)
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true })
    writeFileSync(join(this.root, path), text)
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8')
  }

  /** Puts the toolchain where npm would; its name is the hash that the bootstrap expects. */
  async bringTools(): Promise<this> {
    const { describeToolchain } = await importScript('bootstrap/toolchain.mjs')
    const { folder } = describeToolchain(this.root, {})
    mkdirSync(join(folder, 'node_modules/pnpm/bin'), { recursive: true })
    writeFileSync(join(folder, 'node_modules/pnpm/bin/pnpm.mjs'), FAKE_PNPM)
    return this
  }

  start(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD)/.test(name)))
    return spawn(process.execPath, [join(this.root, 'scripts/bootstrap.mjs'), ...args], { cwd: this.root, env: { ...clean, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  run(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Run> {
    return ended(this.start(args, env))
  }

  [Symbol.dispose](): void {
    rmSync(dirname(this.root), { recursive: true, force: true })
  }
}

/** Waits for a child and what it printed. */
export function ended(child: ChildProcess): Promise<Run> {
  const text = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => { text.stdout += chunk })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => { text.stderr += chunk })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout: text.stdout, stderr: text.stderr.replace(/… [\d.]+ s$/gm, '… N s') }))
  })
}

/** Waits until a child has printed some text. */
export function said(child: ChildProcess, text: string): Promise<void> {
  let seen = ''
  return new Promise(resolve => {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => {
      seen += String(chunk)
      if (seen.includes(text)) resolve()
    })
  })
}

/** A script of ours that is plain JavaScript, without types. */
export function importScript(path: string): Promise<any> {
  return import(new URL(`../../scripts/${path}`, import.meta.url).href)
}
