/** The commands to the built distribution: small files that start the right Node on it. */
import { join } from 'node:path'
import { readStamp, writeWhole } from './stamp.mjs'

/**
 * Writes `dist/dsh` and `node_modules/.bin/dsh`, from any directory the built distribution.
 * Absolute paths, because finding oneself through symbolic links costs a process in `sh`.
 */
export function writeCommands(root, node, platform = process.platform) {
  const entry = join(root, 'dist/dsh.mjs')
  const files = platform === 'win32'
    ? [[join(root, 'dist/dsh.cmd'), batch(node, entry)], [join(root, 'node_modules/.bin/dsh.cmd'), batch(node, entry)]]
    : [[join(root, 'dist/dsh'), shell(node, entry)], [join(root, 'node_modules/.bin/dsh'), shell(node, entry)]]
  for (const [file, text] of files) if (readStamp(file) !== text) writeWhole(file, text, 0o755)
}

function shell(node, entry) {
  return [
    '#!/bin/sh',
    '# Written by scripts/bootstrap.mjs: runs the built distribution with the Node it was built for.',
    `node=${quote(node)}`,
    `entry=${quote(entry)}`,
    'if [ ! -x "$node" ] || [ ! -f "$entry" ]; then',
    "  echo 'dsh: the repository has moved or was cleaned; run `npm start` in it once' >&2",
    '  exit 2',
    'fi',
    'exec "$node" "$entry" "$@"',
    '',
  ].join('\n')
}

function quote(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function batch(node, entry) {
  return `@"${node}" "${entry}" %*\r\n`
}
