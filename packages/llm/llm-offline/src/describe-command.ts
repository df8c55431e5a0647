/** A command in a few words, for what was left out. Pure. */

import { code, shorten } from './fence.ts'
import type { Command } from '@deepseek-ai/dsh-plain-commands'

export function describeCommand(command: Command): string {
  switch (command.kind) {
    case 'run': return `run ${code(command.command)}`
    case 'read': return `read ${command.paths.map(code).join(', ')}`
    case 'read-readme': return 'read the readme'
    case 'list': return `list ${command.pattern === '**/*' ? 'files' : code(command.pattern)}${command.path === undefined ? '' : ` in ${code(command.path)}`}`
    case 'search': return `search for ${code(command.pattern)}`
    case 'write': return `write ${code(command.path)}`
    case 'append': return `append to ${code(command.path)}`
    case 'replace': return `replace ${code(command.from)} in ${code(command.path)}`
    case 'todo': return 'write the to-do list'
    case 'fetch': return `fetch ${command.url}`
    case 'web-search': return 'search the web'
    case 'delegate': return 'ask a subagent'
    case 'ask': return 'ask you'
    case 'help': return 'explain myself'
    case 'incomplete': return 'a command that lacks something'
    case 'survey':
    case 'beyond': return `“${shorten(command.request, 80)}”`
  }
}
