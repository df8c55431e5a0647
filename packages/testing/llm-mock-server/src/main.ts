/** Runs the scripted server as a process: `node main.ts script.json`. Prints one JSON line with its address. */

import { readFile } from 'node:fs/promises'
import { MockLlmServer } from './mock-server.ts'
import { parseScriptFile } from './script-file.ts'

const [file] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('usage: main.ts SCRIPT.json\n')
  process.exit(2)
}
const server = await MockLlmServer.start(parseScriptFile(await readFile(file, 'utf8')))
process.stdout.write(`${JSON.stringify({ url: server.url, pid: process.pid })}\n`)

async function stop(): Promise<void> {
  process.stdout.write(`${JSON.stringify({ requests: server.requests.length, violations: server.violations })}\n`)
  await server.close()
  process.exit(server.violations.length > 0 ? 1 : 0)
}
process.once('SIGTERM', () => void stop())
process.once('SIGINT', () => void stop())
