import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { currentHolder, describeHolder, isAlive, isStoredLease, readHolder, takeLease } from '../src/index.ts'

it('tells a holder that lives from one that ended, and from one it cannot see', async () => {
  const own = currentHolder('x')
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await once(child, 'exit')
  const ended = { ...own, pid: child.pid ?? 0 }
  expect([own, ended, { ...own, host: 'elsewhere' }, { ...ended, host: 'elsewhere' }].map(isAlive)).toEqual(['alive', 'dead', 'unknown', 'unknown'])
})

// Only where the system says when a process began.
it.skipIf(!existsSync('/proc/self/stat'))('tells a process from a later one of the same number, where both starts are known', () => {
  const { processStart, ...own } = currentHolder('x')
  expect([isAlive({ ...own, processStart: `${processStart}0` }), isAlive({ ...own, processStart: 'another-boot/1' }), isAlive(own)]).toEqual(['dead', 'dead', 'alive'])
})

it('names the host of a holder only when it is another one', () => {
  const holder = { pid: 12, host: hostname(), since: Date.UTC(2024, 0, 2, 3, 4, 5) }
  expect([holder, { ...holder, host: 'elsewhere' }].map(describeHolder)).toEqual(['process 12, since 2024-01-02 03:04:05 UTC', 'process 12 on elsewhere, since 2024-01-02 03:04:05 UTC'])
})

it.each([null, 'x', {}, { pid: 0, host: 'h', since: 1, nonce: 'x' }, { pid: 1.5, host: 'h', since: 1, nonce: 'x' }, { pid: 1, host: 'h', since: 1 }])('takes %j for no lease', value => {
  expect([isStoredLease(value), isStoredLease(JSON.parse(JSON.stringify(currentHolder('x'))))]).toEqual([false, true])
})

// Only /proc tells a process that is over from one that runs.
// Only where the system says when a process began.
it.skipIf(!existsSync('/proc/self/stat'))('counts a holder as dead that ended and was not waited for', async () => {
  const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 20'], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '), { timeout: 5000 })
    expect(isAlive({ pid, host: hostname(), since: 1, nonce: 'x' })).toBe('dead')
  } finally {
    parent.kill()
  }
})

it('keeps nobody from reading by a lock that is no file, and lets nobody write past it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dsh-lease-'))
  try {
    const [blocked, link] = [join(folder, 'a.lock'), join(folder, 'b.lock')]
    mkdirSync(blocked)
    symlinkSync(link, link)
    expect([readHolder(blocked), readHolder(link), readHolder(join(folder, 'c.lock'))]).toEqual([undefined, undefined, undefined])
    const options = { what: 'it', onRelease: () => undefined }
    await expect(takeLease(blocked, options, new AbortController().signal)).rejects.toThrow(expect.objectContaining({ code: 'EISDIR' }))
    await expect(takeLease(link, options, new AbortController().signal)).rejects.toThrow(expect.objectContaining({ code: 'ELOOP' }))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
