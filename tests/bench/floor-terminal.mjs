// The lower bound for the terminal rows: a prompt without log, screen or safety that puts each line on disk and sends it.

import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'

const agent = new Agent({ keepAlive: true })
const address = new URL(`${process.env.DEEPSEEK_BASE_URL}/chat/completions`)
const messages = []
let typed = ''

process.stdin.setRawMode(true)
process.stdin.setEncoding('utf8')
process.stdin.on('data', keys => {
  for (const key of keys) press(key)
})
process.stdout.write('floor mode\r\n> ')

function press(key) {
  if (key === '\u0004') process.exit()
  if (key !== '\r') {
    typed += key
    process.stdout.write(key)
    return
  }
  messages.push({ role: 'user', content: typed })
  store(typed)
  typed = ''
  send()
}

function store(text) {
  const file = openSync(join(process.env.HOME, 'floor.log'), 'a', 0o600)
  writeSync(file, `${text}\n`)
  fdatasyncSync(file)
  closeSync(file)
}

function send() {
  const outgoing = request(address, { method: 'POST', agent, headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.DEEPSEEK_API_KEY}` } }, response => response.resume())
  outgoing.end(JSON.stringify({ model: 'floor', stream: true, messages }))
}
