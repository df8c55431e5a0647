/** Every row of the built-in composition goes and comes back while a conversation lives: what it contributed with it, and nothing else. */

import { join } from 'node:path'
import type { Context } from 'cordis'
import type {} from '@deepseek-ai/dsh-commands'
import { boot, type Running } from '@deepseek-ai/dsh-composition'
import { readPlan, type Plan } from '@deepseek-ai/dsh-composition-yaml'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-llm'
import { MockLlmServer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import type {} from '@deepseek-ai/dsh-system-prompt'
import { LeakCheck, logTypes, tempWorkspace } from '@deepseek-ai/dsh-testkit'
import type {} from '@deepseek-ai/dsh-tools'
import { expect, it } from 'vitest'
import { builtinPlugins } from '../src/builtin-plugins.ts'

/** Row → what is not there without it. Services that others need take those others with them. */
const CONTRIBUTIONS: Record<string, { gone: string[]; keepsAgent?: false }> = {
  'agent-core': { gone: [], keepsAgent: false },
  'session-persistence-jsonl': { gone: ['command clear', 'command export', 'command fork', 'command resume', 'command title', 'listener session/closed', 'listener session/created', 'listener session/event', 'listener session/flush', 'service sessionPersistence'] },
  approval: { gone: ['command permissions', 'listener agent/created', 'listener agent/created', 'listener agent/disposed', 'listener tools/pre-execute', 'listener tools/pre-execute', 'service approval'] },
  'permission-rules': { gone: ['listener agent/created', 'listener tools/pre-execute'] },
  commands: { gone: ['command clear', 'command context', 'command cost', 'command diff', 'command export', 'command fork', 'command help', 'command login', 'command logout', 'command model', 'command permissions', 'command prompt', 'command resume', 'command title', 'command tokens', 'service commands'] },
  'llm-deepseek': { gone: ['model deepseek-flash', 'model deepseek-v4-flash', 'model deepseek-v4-pro'] },
  'llm-offline': { gone: ['model offline'] },
  'llm-retry': { gone: ['listener agent/request-error'] },
  'base-prompt': { gone: ['listener agent/created', 'listener agent/disposed', 'section environment', 'section identity'] },
  'fs-local': { gone: ['listener tools/pre-execute', 'service fs', 'tool edit', 'tool read', 'tool write'] },
  'fs-policy': { gone: ['listener tools/pre-execute'] },
  'tool-fs': { gone: ['tool edit', 'tool read', 'tool write'] },
  'tool-fs-search': { gone: ['tool glob', 'tool grep'] },
  'bash-local': { gone: ['command diff', 'service bash', 'tool bash'] },
  'tool-bash': { gone: ['tool bash'] },
  'inspect-commands': { gone: ['command context', 'command cost', 'command prompt', 'command tokens'] },
  'permission-command': { gone: ['command permissions'] },
  'model-command': { gone: ['command model'] },
  'login-command': { gone: ['command login', 'command logout'] },
  'session-commands': { gone: ['command clear', 'command export', 'command fork', 'command resume', 'command title'] },
  'diff-command': { gone: ['command diff'] },
  'command-files': { gone: [] },
  'tool-todo': { gone: ['tool todo_write'] },
  'tool-ask-user': { gone: ['listener agent/created', 'listener agent/disposed'] },
  'repeat-guard': { gone: ['listener agent/turn-continuation', 'listener session/event'] },
}

async function readBuiltIn(url: string, folder: string): Promise<Plan> {
  const plan = await readPlan({
    composition: join(import.meta.dirname, '../../../../cordis.yml'),
    userSettings: join(folder, 'settings.yml'),
    set: ['llm-deepseek.apiKey=sk-x', `llm-deepseek.baseURL=${url}`, 'permission-rules.mode=auto'],
    env: {},
  })
  // Also what must not be missing in a real run has to come and go cleanly.
  return { ...plan, rows: plan.rows.map(row => ({ ...row, required: false })) }
}

function without(plan: Plan, id: string): Plan {
  return { ...plan, rows: plan.rows.map(row => (row.id === id ? { ...row, disabled: true } : row)) }
}

/** Everything countable that rows contribute. */
function survey({ root }: Running, agent: Agent): string[] {
  const hooks = root.events._hooks as Readonly<Record<string, readonly unknown[]>>
  return [
    ...(root.get('tools')?.list().map(({ name }) => `tool ${name}`) ?? []),
    ...(root.get('systemPrompt')?.sections(agent.scope).map(({ name }) => `section ${name}`) ?? []),
    ...(root.get('commands')?.registered().map(name => `command ${name}`) ?? []),
    ...(root.get('llm')?.models().map(name => `model ${name}`) ?? []),
    ...Object.entries(hooks).filter(([name]) => /^(agent|tools|session|llm|system-prompt)\//.test(name)).flatMap(([name, list]) => list.map(() => `listener ${name}`)),
    ...servicesOf(root),
  ].sort()
}

function servicesOf({ reflect }: Context): string[] {
  return Object.getOwnPropertySymbols(reflect.store).map(key => `service ${reflect.store[key]?.name ?? ''}`)
}

/** What `all` has more of than `rest`. */
function difference(all: readonly string[], rest: readonly string[]): string[] {
  const left = [...rest]
  return all.filter(entry => {
    const at = left.indexOf(entry)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

async function turn(agent: Agent): Promise<string | undefined> {
  agent.send('go')
  await agent.whenIdle()
  return logTypes(agent).at(-1)
}

it('knows every row of the built-in composition', async () => {
  await using folder = await tempWorkspace()
  const { rows } = await readBuiltIn('http://127.0.0.1:9', folder.path)

  expect(Object.keys(CONTRIBUTIONS)).toEqual(rows.map(({ id }) => id))
  expect(rows.map(({ name }) => name).filter(name => !(name in builtinPlugins))).toEqual([])
})

it.each(Object.entries(CONTRIBUTIONS))('takes %s away with what it contributes, brings it back, and leaves nothing behind', async (id, { gone, keepsAgent = true }) => {
  await using server = await MockLlmServer.start({ script: () => textAnswer('ok') })
  await using folder = await tempWorkspace()
  const plan = await readBuiltIn(server.url, folder.path)
  let leaks: LeakCheck | undefined
  const running = await boot(plan, { builtins: builtinPlugins, prepare: root => void (leaks = new LeakCheck(root)) })
  const { agent } = running.root.agents.create({ meta: { cwd: folder.path }, agentOptions: { model: 'deepseek-flash' } })
  expect(await turn(agent)).toBe('turn/end')
  const before = survey(running, agent)

  for (let round = 0; round < 2; round++) {
    await running.apply(without(plan, id))
    if (keepsAgent) expect(difference(before, survey(running, agent))).toEqual(gone)
    else expect(agent.status).toBe('disposed')
    await running.apply(plan)
    expect(running.status().filter(({ state }) => state !== 'active').map(row => row.id)).toEqual([])
    if (keepsAgent) {
      expect(survey(running, agent)).toEqual(before)
      expect(await turn(agent)).toBe('turn/end')
    }
  }

  await running.dispose()
  // The server's ends of the connections are in this process, too.
  await server.close()
  await leaks?.settle()
  expect([...(leaks?.listeners() ?? ['no check']), ...(leaks?.handles() ?? [])]).toEqual([])
  expect(server.violations).toEqual([])
})
