/**
 * The right to write to something, as a file beside it that only one process can
 * create. What is in it says who that is; a dead holder is
 * succeeded, one on another host is not: nobody here can tell whether it lives.
 */

import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { linkOrCopy, newNonce } from '@deepseek-ai/dsh-append-file'
import { currentHolder, describeHolder, isAlive, isStoredLease, type LeaseHolder, type StoredLease } from './lease.ts'

/** A lock without a readable holder is one that is being written, or was when its writer died. */
const UNWRITTEN_MS = 2000

/** Racing takers, and a lock that is being written, make a taker try again; for so long at the most. */
const LONGEST_TRY_MS = UNWRITTEN_MS + 1000
const PAUSE_MS = 20

const UNREADABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EISDIR', 'ELOOP'])

/** `in-use`: somebody else has it, `holder` says who where that is known. `lost`: it was taken over. */
export class LeaseError extends Error {
  override readonly name = 'LeaseError'
  readonly code: 'in-use' | 'lost'
  readonly holder?: LeaseHolder

  constructor(code: 'in-use' | 'lost', message: string, holder?: LeaseHolder) {
    super(message)
    this.code = code
    if (holder) this.holder = holder
  }
}

export interface LeaseFile {
  /** Throws `lost` when somebody else has it now. A lock that was removed, and not taken, is made again. */
  assertHeld(): void
  isHeld(): boolean
  /** Gives it back; a file that is no longer ours stays. Harmless when repeated. */
  release(): void
}

export interface LeaseOptions {
  /** For messages: `the session x`. */
  what: string
  onRelease(): void
}

/** Throws `in-use` with the holder. */
export async function takeLease(path: string, { what, onRelease }: LeaseOptions, signal: AbortSignal): Promise<LeaseFile> {
  const own = currentHolder(newNonce())
  // Not by the clock on the wall, which may be set meanwhile.
  for (const start = performance.now(); performance.now() - start < LONGEST_TRY_MS; ) {
    signal.throwIfAborted()
    if (create(path, own)) return leaseFile(path, own, { what, onRelease })
    await removeDead(path, what)
  }
  throw new LeaseError('in-use', `${what} is being taken by several processes at once; try again`)
}

/** Who holds it, as far as can be told: undefined when nobody does, and for a lock that may not be read. A dead holder counts as nobody. */
export function readHolder(path: string): LeaseHolder | undefined {
  const found = readableLease(path)
  if (!found?.lease || isAlive(found.lease) === 'dead') return undefined
  const { pid, host, since } = found.lease
  return { pid, host, since }
}

/** Whoever only reads is not kept from it by a lock that is somebody else's, or no file. */
function readableLease(path: string): FoundLease | undefined {
  try {
    return readLease(path)
  } catch (error) {
    if (UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

function create(path: string, own: StoredLease): boolean {
  const fd = openNew(path)
  if (fd === undefined) return false
  try {
    writeWhole(fd, Buffer.from(`${JSON.stringify(own)}\n`))
  } catch (error) {
    // On a full disk there is room for the name, but for nothing in it.
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
  return true
}

/** Undefined when there is one already. */
function openNew(path: string): number | undefined {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
}

/** A disk that is nearly full takes a part, and says so only when asked for the rest. */
function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at)
}

/** Returns when the way is free or may be; throws when a holder lives or cannot be judged. */
async function removeDead(path: string, what: string): Promise<void> {
  const found = readLease(path)
  if (!found) return
  const { lease, age, text } = found
  if (!lease && age < UNWRITTEN_MS) {
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    return
  }
  const state = lease ? isAlive(lease) : 'dead'
  if (lease && state !== 'dead') throw inUse(lease, state, what, path)
  moveAway(path, text)
}

function inUse(lease: StoredLease, state: 'alive' | 'unknown', what: string, path: string): LeaseError {
  const advice = state === 'unknown' ? `; if that process is gone, remove ${path}` : ''
  const { pid, host, since } = lease
  return new LeaseError('in-use', `${what} is in use by ${describeHolder(lease)}${advice}`, { pid, host, since })
}

/** Removes exactly the lock whose text was judged: another taker may have put its own there meanwhile, which goes back. */
function moveAway(path: string, judged: string): void {
  const aside = `${path}.${newNonce()}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (readFileSync(aside, 'utf8') !== judged) putBack(aside, path)
  rmSync(aside, { force: true })
}

interface FoundLease {
  lease?: StoredLease
  text: string
  /** Milliseconds since it was last written to. */
  age: number
}

function readLease(path: string): FoundLease | undefined {
  try {
    const fd = openSync(path, 'r')
    try {
      const text = readFileSync(fd, 'utf8')
      const value = parse(text)
      return { text, age: Math.abs(Date.now() - fstatSync(fd).mtimeMs), ...(isStoredLease(value) && { lease: value }) }
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function leaseFile(path: string, own: StoredLease, { what, onRelease }: LeaseOptions): LeaseFile {
  const isHeld = (): boolean => readLease(path)?.lease?.nonce === own.nonce
  return {
    isHeld,
    assertHeld() {
      const found = readLease(path)
      if (found?.lease?.nonce === own.nonce || (!found && create(path, own))) return
      const by = found?.lease ? `by ${describeHolder(found.lease)}` : 'by somebody else'
      throw new LeaseError('lost', `${what} was taken over ${by}. Nothing was written`)
    },
    release() {
      if (isHeld()) rmSync(path, { force: true })
      onRelease()
    },
  }
}

/** Unless somebody has made a new one meanwhile. */
function putBack(aside: string, path: string): void {
  try {
    linkOrCopy(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
