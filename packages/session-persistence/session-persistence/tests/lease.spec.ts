import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { expect, it, vi } from 'vitest'
import { isAlive } from '../src/index.ts'

// Only /proc tells a process that is over from one that runs.
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
