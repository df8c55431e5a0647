/**
 * One set-up at a time in a checkout. A lock is a file that holds its owner's process id and
 * is touched while the owner lives; it is taken over when the owner is gone or silent.
 * It only saves work: every phase publishes its result in one step and bears a second writer.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 100
const BEAT_MS = 2_000
const SILENT_MS = 20_000

/** Waits for the lock and returns its release. `onWait` is called once, with the owner's id, when somebody else holds it. */
export async function takeLock(file, onWait) {
  mkdirSync(dirname(file), { recursive: true })
  let told = false
  while (!claim(file)) {
    const owner = readOwner(file)
    if (isAbandoned(file, owner)) rmSync(file, { force: true })
    else if (!told) {
      told = true
      onWait(owner)
    }
    await sleep(POLL_MS)
  }
  const beat = setInterval(() => touch(file), BEAT_MS)
  beat.unref()
  return () => {
    clearInterval(beat)
    if (readOwner(file) === process.pid) rmSync(file, { force: true })
  }
}

function claim(file) {
  try {
    const descriptor = openSync(file, 'wx')
    writeSync(descriptor, String(process.pid))
    closeSync(descriptor)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function touch(file) {
  const now = new Date()
  ifPresent(() => utimesSync(file, now, now))
}

function readOwner(file) {
  return ifPresent(() => Number(readFileSync(file, 'utf8')) || undefined)
}

function isAbandoned(file, owner) {
  const modified = ifPresent(() => statSync(file).mtimeMs)
  if (modified === undefined) return false
  return Date.now() - modified > SILENT_MS || (owner !== undefined && !isAlive(owner))
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

/** The owner may remove the file at any moment; that is not a failure. */
function ifPresent(read) {
  try {
    return read()
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
