/** One command in a shell of its own: started without a terminal, its output collected, its processes known. */

import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { BashOutputListener, BashShell, CollectedOutput } from '@deepseek-ai/dsh-bash'
import { CallProcesses } from './call-processes.ts'
import { OutputTail } from './output-tail.ts'
import type { OutputPipe, PipePool } from './pipe-pool.ts'
import type { ScratchDir } from './scratch-dir.ts'

/** The variable by which the processes of one command are recognised. */
const MARK = 'DSH_BASH_CALL'

export interface ShellCommandOptions {
  shell: BashShell
  command: string
  workdir: string
  env: Readonly<Record<string, string>>
  stdin?: string
  onOutput?: BashOutputListener
  /** Unique among all commands of all executors. */
  id: string
  maxOutputBytes: number
  scratch: ScratchDir
  pipes: PipePool
  /** The system makes no pipes, and sockets are used instead. */
  onNoPipes(error: unknown): void
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export class ShellCommand {
  /** Resolves when the shell itself has ended. */
  readonly exited: Promise<Exit>
  /** Resolves when nobody holds the output any more. */
  readonly drained: Promise<void>
  readonly processes: CallProcesses
  readonly workdir: string
  isDrained = false
  private readonly stdout: OutputTail
  private readonly stderr: OutputTail
  private readonly readers: Readable[]

  private constructor(child: ChildProcess, pid: number, readers: [Readable, Readable], options: ShellCommandOptions) {
    const { maxOutputBytes, scratch, workdir, id, onOutput } = options
    this.workdir = workdir
    this.processes = new CallProcesses(pid, `${MARK}=${id}`)
    this.stdout = new OutputTail({ maxBytes: maxOutputBytes, openSpill: () => scratch.openSpill('stdout') })
    this.stderr = new OutputTail({ maxBytes: maxOutputBytes, openSpill: () => scratch.openSpill('stderr') })
    this.readers = readers
    this.exited = new Promise(resolve => {
      child.once('exit', (code, signal) => {
        this.processes.onLeaderEnded()
        resolve({ code, signal })
      })
    })
    this.drained = Promise.all([collect(readers[0], this.stdout, onOutput), collect(readers[1], this.stderr, onOutput)]).then(() => {
      this.isDrained = true
    })
  }

  /** Starts it. Rejects with the system's own error when that refuses. */
  static async start(options: ShellCommandOptions): Promise<ShellCommand> {
    const { shell, command, workdir, env, id } = options
    const stdin = options.stdin === undefined ? undefined : openStdin(options.scratch, id, options.stdin)
    const output = openOutput(options)
    const plain = shell.dialect === 'bash' ? ['--norc', '--noprofile'] : []
    try {
      const child = spawn(shell.program, [...plain, '-c', command], {
        argv0: shell.dialect, // it stands before every message of the shell
        cwd: workdir,
        env: { ...env, PWD: workdir, [MARK]: id },
        detached: true, // setsid: no controlling terminal, and a group that can be signalled as a whole
        stdio: [stdin ?? 'ignore', output?.[0].writer ?? 'pipe', output?.[1].writer ?? 'pipe'],
      })
      const { pid } = child
      if (pid === undefined) throw await new Promise<Error>(resolve => child.once('error', resolve))
      child.on('error', () => undefined) // Node's own attempts to signal it; ours go through CallProcesses
      return new ShellCommand(child, pid, readersOf(child, output), options)
    } catch (error) {
      for (const { reader } of output ?? []) reader.resume() // to its end, so that the pipe can be used again
      throw error
    } finally {
      for (const pipe of output ?? []) pipe.closeWriter()
      if (stdin !== undefined) closeSync(stdin)
    }
  }

  /** Ends the collection; later output is read and dropped, so that whoever still writes is not stopped by a full pipe. */
  collected(): { stdout: CollectedOutput; stderr: CollectedOutput } {
    return { stdout: this.stdout.finish(this.isDrained), stderr: this.stderr.finish(this.isDrained) }
  }

  /** Closes our end of the output, and drops it if nobody collected it. */
  release(): void {
    this.stdout.abandon()
    this.stderr.abandon()
    for (const reader of this.readers) reader.destroy()
  }

  /** The open output no longer keeps this process alive. */
  unref(): void {
    for (const reader of this.readers) (reader as { unref?(): void }).unref?.()
  }
}

function collect(reader: Readable, tail: OutputTail, onOutput: BashOutputListener | undefined): Promise<void> {
  reader.on('data', (chunk: Buffer) => tail.push(chunk))
  if (onOutput) {
    const decoder = new StringDecoder('utf8')
    reader.on('data', (chunk: Buffer) => onOutput(decoder.write(chunk)))
  }
  // A failing read is followed by `close`; what had arrived is the output.
  reader.on('error', () => undefined)
  return new Promise(resolve => reader.once('close', () => resolve()))
}

function openOutput({ pipes, onNoPipes }: ShellCommandOptions): [OutputPipe, OutputPipe] | undefined {
  try {
    return pipes.openPair()
  } catch (error) {
    onNoPipes(error)
    return undefined
  }
}

function readersOf(child: ChildProcess, output: [OutputPipe, OutputPipe] | undefined): [Readable, Readable] {
  if (output) return [output[0].reader, output[1].reader]
  if (!child.stdout || !child.stderr) throw new Error('the process was started without output')
  return [child.stdout, child.stderr]
}

/** A file, because a command may open `/dev/stdin` by name; it has no name of its own any more when the command sees it. */
function openStdin(scratch: ScratchDir, id: string, content: string): number {
  const path = join(scratch.ensure(), `${id}-stdin`)
  writeFileSync(path, content, { mode: 0o600, flag: 'wx' })
  try {
    return openSync(path, 'r')
  } finally {
    unlinkSync(path)
  }
}
