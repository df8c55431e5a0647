import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CallProcesses } from '../src/call-processes.ts'
import { eventually, isRunning, open, zombies } from './fixture.ts'

const STUBBORN = `sh -c 'sh -c "trap \\"\\" TERM; while :; do date >> beat; sleep 0.1; done" & wait'`

async function timed<T>(promise: Promise<T>): Promise<{ value: T; ms: number }> {
  const before = performance.now()
  const value = await promise
  return { value, ms: performance.now() - before }
}

const sleep = async (ms: number) => await new Promise(resolve => setTimeout(resolve, ms))

describe('a process left in the background', () => {
  it.each([
    ['with the output open', 'sleep 300 & echo done'],
    ['writing for ever', '(while :; do echo x; sleep 0.05; done) & echo done'],
    ['in a session of its own', 'setsid sleep 300 & echo done'],
    ['in a group of its own', 'set -m; sleep 300 & echo done'],
    ['with its output elsewhere', 'nohup sleep 300 >/dev/null 2>&1 & echo done'],
  ])('does not hold up the call, is reported, and dies with the executor: %s', async (_, command) => {
    const { run, dispose } = await open({ killGraceMs: 200 })
    const { value, ms } = await timed(run(command))
    expect(ms).toBeLessThan(2_000)
    expect({ exitCode: value.exitCode, done: value.stdout.text.includes('done'), stillRunning: value.stillRunning }).toEqual({ exitCode: 0, done: true, stillRunning: true })
    const pids = value.leftProcesses.map(({ pid }) => pid)
    expect(pids.some(isRunning)).toBe(true)

    await run('true') // other calls leave it alone
    expect(pids.some(isRunning)).toBe(true)
    await dispose()
    expect(pids.filter(isRunning)).toEqual([])
    expect(zombies()).toEqual([])
  })

  it('may go on writing after the call', async () => {
    const { run, directory } = await open()
    await run('(for i in 1 2 3 4 5 6; do seq 1 20000; sleep 0.05; done; echo survived > proof) & echo done')
    expect(await eventually(() => statSync(`${directory}/proof`, { throwIfNoEntry: false }) !== undefined)).toBe(true)
  })

  it('is not reported when it ends with the shell', async () => {
    const { run } = await open()
    expect((await run('sleep 0.03 & echo done')).stillRunning).toBe(false)
  })

  it('counts as part of the command while the shell waits for it', async () => {
    const { run } = await open()
    const { value, ms } = await timed(run('sleep 300 & wait', { timeoutMs: 300 }))
    expect([value.timedOut, value.stillRunning, ms < 2_000]).toEqual([true, false, true])
  })
})

describe('a number that the system gave to somebody else', () => {
  it('is not taken for a process of the command', async () => {
    const stranger = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' })
    onTestFinished(() => void stranger.kill('SIGKILL'))
    const processes = new CallProcesses(stranger.pid ?? 0, 'DSH_BASH_CALL=none')
    expect(processes.living({ escaped: true })).toEqual([{ pid: stranger.pid, name: expect.any(String) }])
    processes.onLeaderEnded()
    expect(processes.living({ escaped: true })).toEqual([])
    processes.signal('SIGKILL')
    expect(isRunning(stranger.pid ?? 0)).toBe(true)
  })
})

describe('a time limit', () => {
  it('ends the whole tree, also what ignores SIGTERM', async () => {
    const { run, directory } = await open({ killGraceMs: 300 })
    const { timedOut, stdout } = await run(`echo begun; ${STUBBORN}`, { timeoutMs: 400 })
    const size = statSync(`${directory}/beat`).size
    await sleep(400)
    expect([timedOut, stdout.text, statSync(`${directory}/beat`).size, zombies()]).toEqual([true, 'begun\n', size, []])
  })

  it('leaves a command the time to end by itself', async () => {
    const { run } = await open()
    const { timedOut, exitCode, stdout } = await run('trap "echo cleaned; exit 0" TERM; sleep 300 & wait', { timeoutMs: 200 })
    expect({ timedOut, exitCode, text: stdout.text }).toEqual({ timedOut: true, exitCode: 0, text: 'cleaned\n' })
  })

  it('is capped by the row', async () => {
    const { bash } = await open({ timeoutMs: 50, maxTimeoutMs: 100 })
    expect([bash.resolve({ command: 'x' }).timeoutMs, bash.resolve({ command: 'x', timeoutMs: 1_000 }).timeoutMs]).toEqual([50, 100])
  })
})

describe('a cancellation', () => {
  it.each([['a plain tree', 'sleep 300 | cat'], ['one that ignores SIGTERM', STUBBORN], ['one that left the session', 'setsid sleep 300; true']])('silences %s within 200 ms', async (_, command) => {
    const { run } = await open()
    const controller = new AbortController()
    const reason = new Error('stop')
    const running = run(command, {}, controller.signal).catch((error: unknown) => error)
    await sleep(200)
    controller.abort(reason)
    const { ms, value } = await timed(running)
    expect(value).toBe(reason)
    expect(ms).toBeLessThan(400) // 200, and as much again for a busy machine
    expect(zombies()).toEqual([])
  })

  it('leaves no listener on the signal', async () => {
    const { run } = await open()
    const { signal } = new AbortController()
    const counts = { added: 0, removed: 0 }
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = function (...args: Parameters<typeof addEventListener>) {
      counts.added++
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = function (...args: Parameters<typeof removeEventListener>) {
      counts.removed++
      removeEventListener.apply(signal, args)
    }
    await run('true', {}, signal)
    expect(counts).toEqual({ added: 1, removed: 1 })
  })
})

describe('unloading', () => {
  it('stops a running command, which rejects, and refuses new ones', async () => {
    const { run, bash, dispose } = await open()
    const running = run('sleep 300').catch((error: unknown) => error)
    await sleep(100)
    await dispose()
    expect(await running).toMatchObject({ code: 'BASH_DISPOSED' })
    await expect(bash.run(bash.resolve({ command: 'true' }), new AbortController().signal)).rejects.toMatchObject({ code: 'BASH_DISPOSED' })
    expect(zombies()).toEqual([])
  })

  it('takes the exit hook away', async () => {
    const before = process.listenerCount('exit')
    const { dispose } = await open()
    expect(process.listenerCount('exit')).toBe(before + 1)
    await dispose()
    expect(process.listenerCount('exit')).toBe(before)
  })
})
