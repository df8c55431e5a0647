/**
 * What tells one state of a file from another.
 *
 *     h<22 characters>                     SHA-256 of the content, up to `HASHED_BYTES`
 *     s<inode>-<size>-<mtime>-<ctime>      of a larger file; times in nanoseconds
 */

import { hash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import type { FsVersion } from '@deepseek-ai/dsh-fs'

/** Larger files are known by their inode: reading all of them for every look would be too slow. */
export const HASHED_BYTES = 8 << 20

export function versionOf(stats: BigIntStats, bytes: Buffer): FsVersion {
  return bytes.length <= HASHED_BYTES ? contentVersion(bytes) : inodeVersion(stats)
}

/** Of content that is not larger than `HASHED_BYTES`. */
export function contentVersion(bytes: Buffer): FsVersion {
  return `h${hash('sha256', bytes, 'base64url').slice(0, 22)}`
}

export function inodeVersion({ ino, size, mtimeNs, ctimeNs }: BigIntStats): FsVersion {
  return `s${ino}-${size}-${mtimeNs}-${ctimeNs}`
}

/** Whether both describe one file that nobody has written in between. */
export function isSameState(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs
}
