// The lower bound for this runtime: an agent without log, plugins or safety. Every row of the bench is set beside it.

import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true })
const address = new URL(`${process.env.DEEPSEEK_BASE_URL}/chat/completions`)
const tools = [
  { type: 'function', function: { name: 'read', description: 'Read a file.', parameters: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] } } },
  { type: 'function', function: { name: 'bash', description: 'Run a command.', parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] } } },
]
const messages = [{ role: 'user', content: process.argv.slice(2).join(' ') }]

for (;;) {
  const message = await ask()
  messages.push(message)
  if (!message.tool_calls) {
    process.stdout.write(`${message.content}\n`)
    break
  }
  for (const call of message.tool_calls) {
    messages.push({ role: 'tool', tool_call_id: call.id, content: await run(call.function.name, JSON.parse(call.function.arguments)) })
  }
}
agent.destroy()

function ask() {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { method: 'POST', agent, headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.DEEPSEEK_API_KEY}` } }, response => {
      let rest = ''
      let content = ''
      const calls = []
      response.setEncoding('utf8')
      response.on('data', text => {
        const lines = (rest + text).split('\n')
        rest = lines.pop()
        for (const line of lines) {
          if (!line.startsWith('data: {')) continue
          const { delta } = JSON.parse(line.slice(6)).choices[0] ?? {}
          content += delta?.content ?? ''
          for (const { index = 0, id, function: part } of delta?.tool_calls ?? []) {
            const call = (calls[index] ??= { id, type: 'function', function: { name: part.name, arguments: '' } })
            call.function.arguments += part.arguments ?? ''
          }
        }
      })
      response.on('end', () => resolve({ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }))
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify({ model: 'floor', stream: true, messages, tools }))
  })
}

function run(name, args) {
  if (name === 'read') return readFile(args.file_path, 'utf8')
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', args.command], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', text => (output += text))
    child.stderr.setEncoding('utf8').on('data', text => (output += text))
    child.on('error', reject)
    child.on('close', () => resolve(output || '(no output)'))
  })
}
