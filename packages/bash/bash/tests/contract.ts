/**
 * What every `BashExecutor` must do, whatever runs the commands. An
 * implementation's own tests call `describeBash` first and then cover only
 * what is peculiar to them.
 */

import { describe, expect, it } from 'vitest'
import type { BashExecRequest, BashExecutor } from '../src/index.ts'

export interface Fixture {
  bash: BashExecutor
  /** An empty directory, by its real path, in which commands can be run. */
  directory: string
}

export function describeBash(name: string, open: () => Promise<Fixture>): void {
  const never = () => new AbortController().signal

  async function run(request: Partial<BashExecRequest> & { command: string }) {
    const { bash, directory } = await open()
    return await bash.run(bash.resolve({ cwd: directory, ...request }), never())
  }

  describe(`${name} is a BashExecutor`, () => {
    it('reports a command whole: both streams byte for byte, and the exit code', async () => {
      const { bash, directory } = await open()
      const spec = bash.resolve({ command: 'printf "a\\n\\nb  "; printf " e\\n" >&2; exit 3', cwd: directory })
      expect(await bash.run(spec, never())).toEqual({
        exitCode: 3,
        signal: null,
        timedOut: false,
        timeoutMs: spec.timeoutMs,
        workdir: directory,
        stdout: { text: 'a\n\nb  ', truncated: false, totalBytes: 6 },
        stderr: { text: ' e\n', truncated: false, totalBytes: 3 },
        stillRunning: false,
        leftProcesses: [],
      })
    })

    it('fills in the defaults of a request without running it', async () => {
      const { bash, directory } = await open()
      const spec = bash.resolve({ command: 'pwd', cwd: directory })
      expect(spec).toEqual({ command: 'pwd', workdir: directory, workdirPolicy: 'nearest', timeoutMs: spec.timeoutMs })
      expect(bash.resolve({ command: 'pwd', cwd: directory, workdir: 'a/../b', timeoutMs: 5 })).toEqual({ command: 'pwd', workdir: `${directory}/b`, workdirPolicy: 'exact', timeoutMs: 5 })
      expect({ timeoutMs: spec.timeoutMs, maxTimeoutMs: bash.resolve({ command: 'pwd', timeoutMs: 1e12 }).timeoutMs }).toEqual(bash.limits)
    })

    it.each([[{ command: ' \n' }, 'BASH_INVALID_COMMAND'], [{ command: 'a\0b' }, 'BASH_INVALID_COMMAND'], [{ command: 'a', timeoutMs: 0 }, 'BASH_INVALID_REQUEST'], [{ command: 'a', timeoutMs: NaN }, 'BASH_INVALID_REQUEST']])('refuses %j', async (request, code) => {
      const { bash } = await open()
      expect(() => bash.resolve(request)).toThrow(expect.objectContaining({ code }))
    })

    it('starts every command afresh', async () => {
      const { bash, directory } = await open()
      await bash.run(bash.resolve({ command: 'X=1; cd /', cwd: directory }), never())
      expect((await bash.run(bash.resolve({ command: 'echo "$X$PWD"', cwd: directory }), never())).stdout.text).toBe(`${directory}\n`)
    })

    it('gives an empty standard input, or the one it is told', async () => {
      expect((await run({ command: 'cat; echo end' })).stdout.text).toBe('end\n')
      expect((await run({ command: 'cat; cat /dev/stdin', stdin: 'é\n' })).stdout.text).toMatch(/^(?:é\n){1,2}$/)
    })

    it('adds the variables of the request', async () => {
      expect((await run({ command: 'echo "$A_TOKEN"', env: { A_TOKEN: 'mine' } })).stdout.text).toBe('mine\n')
    })

    it('names a working directory that is not there', async () => {
      const { bash, directory } = await open()
      const refused = bash.run(bash.resolve({ command: 'true', cwd: directory, workdir: 'gone' }), never())
      await expect(refused).rejects.toMatchObject({ code: 'BASH_WORKDIR_NOT_FOUND', message: expect.stringContaining(`${directory}/gone`) })
    })

    it('ends a command at its time limit and keeps what it said', async () => {
      const { timedOut, stdout, timeoutMs, stillRunning } = await run({ command: 'echo before; sleep 60; echo after', timeoutMs: 300 })
      expect({ timedOut, timeoutMs, stillRunning, text: stdout.text }).toEqual({ timedOut: true, timeoutMs: 300, stillRunning: false, text: 'before\n' })
    })

    it('rejects with the reason of an aborted signal', async () => {
      const { bash, directory } = await open()
      const spec = bash.resolve({ command: 'sleep 60', cwd: directory })
      const reason = new Error('changed my mind')
      await expect(bash.run(spec, AbortSignal.abort(reason))).rejects.toBe(reason)
      const controller = new AbortController()
      const answer = bash.run(spec, controller.signal)
      setTimeout(() => controller.abort(reason), 50)
      await expect(answer).rejects.toBe(reason)
    })

    it('returns when the shell ends, and says what it left running', async () => {
      const before = performance.now()
      const { exitCode, stdout, stillRunning } = await run({ command: 'sleep 20 & echo done' })
      expect({ exitCode, text: stdout.text, stillRunning }).toEqual({ exitCode: 0, text: 'done\n', stillRunning: true })
      expect(performance.now() - before).toBeLessThan(2_000)
    })

    it('never splits a character', async () => {
      const { stdout, stderr } = await run({ command: `printf 'x \\342'; printf '\\303' >&2; sleep 0.1; printf '\\200\\224 y'; printf '\\251' >&2` })
      expect([stdout.text, stderr.text]).toEqual(['x — y', 'é'])
    })

    it('runs commands side by side without mixing them', async () => {
      const { bash, directory } = await open()
      const results = await Promise.all(Array.from({ length: 6 }, (_, i) => bash.run(bash.resolve({ command: `echo ${i}; sleep 0.05; echo ${i}`, cwd: directory }), never())))
      expect(results.map(({ stdout }) => stdout.text)).toEqual(Array.from({ length: 6 }, (_, i) => `${i}\n${i}\n`))
    })
  })
}
