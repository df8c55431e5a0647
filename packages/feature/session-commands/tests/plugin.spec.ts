import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Choice, CommandDoor, CommandResult } from '@deepseek-ai/dsh-commands'
import { CommandRegistry } from '@deepseek-ai/dsh-commands'
import type { SessionStart } from '@deepseek-ai/dsh-front-door'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { harness, reply, runPluginContract, tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import * as sessionCommands from '../src/index.ts'

interface Asked {
  opened: SessionStart[]
  offered: Choice[][]
}

async function open(answers: number) {
  const root = await tempWorkspace()
  const project = await tempWorkspace()
  const create = { meta: { cwd: project.path } }
  const h = await harness({ model: Array.from({ length: answers }, (_, i) => reply(`answer ${i}`)), plugins: [[JsonlSessionPersistence, { root: root.path }], CommandRegistry, sessionCommands], create })
  const asked: Asked = { opened: [], offered: [] }
  return {
    h,
    asked,
    project: project.path,
    /** Another stored session of the same directory. */
    async another(text: string) {
      const handle = h.create(create)
      handle.agent.send(text)
      await handle.agent.whenIdle()
      await handle.dispose()
      return handle.agent.session.id
    },
    async type(line: string, choice?: string): Promise<CommandResult | undefined> {
      const door: CommandDoor = {
        open: async start => void asked.opened.push(start),
        choose: async (_title, choices) => {
          asked.offered.push([...choices])
          return choice
        },
      }
      return await h.ctx.commands.run(line, { agent: h.agent, door, signal: new AbortController().signal })
    },
    async [Symbol.asyncDispose]() {
      await h.dispose()
      await root[Symbol.asyncDispose]()
      await project[Symbol.asyncDispose]()
    },
  }
}

describe('/resume', () => {
  it('opens a session by a beginning of its id', async () => {
    await using t = await open(2)
    await t.h.run('mine')
    const id = await t.another('the other')
    expect(await t.type(`/resume ${id}`)).toBe(undefined)
    expect(t.asked).toEqual({ opened: [{ kind: 'resume', id }], offered: [] })
  })

  it('offers the others of the directory, by their titles', async () => {
    await using t = await open(2)
    await t.h.run('mine')
    const id = await t.another('the other')
    await t.type('/resume', id)
    expect(t.asked.offered.map(choices => choices.map(({ value, label }) => [value, label]))).toEqual([[[id, 'the other']]])
    expect(t.asked.opened).toEqual([{ kind: 'resume', id }])
  })

  it('finds by words, and does nothing when nothing is chosen', async () => {
    await using t = await open(3)
    await t.h.run('mine')
    const id = await t.another('about giraffes')
    await t.another('about lions')
    await t.type('/resume giraffes')
    expect(t.asked.offered.map(choices => choices.map(({ value }) => value))).toEqual([[id]])
    expect(t.asked.opened).toEqual([])
  })

  it.each(['/resume nowhere-to-be-found', '/resume'])('says when there is none: %s', async line => {
    await using t = await open(1)
    await t.h.run('mine')
    await expect(t.type(line)).rejects.toThrow(expect.objectContaining({ code: 'SESSION_NOT_FOUND' }))
  })

  it('of the session itself is no change', async () => {
    await using t = await open(1)
    await t.h.run('mine')
    expect(await t.type(`/resume ${t.h.session.id}`)).toEqual({ kind: 'show', markdown: 'This is that session.' })
  })
})

describe('/fork and /clear', () => {
  it('open a copy up to an event, or a new session', async () => {
    await using t = await open(1)
    await t.h.run('mine')
    const { id } = t.h.session
    await t.type('/fork')
    await t.type('/fork @3')
    await t.type(`/fork ${id.slice(0, 12)}@4`)
    await t.type('/clear')
    expect(t.asked.opened).toEqual([{ kind: 'fork', from: id }, { kind: 'fork', from: id, until: 3 }, { kind: 'fork', from: id, until: 4 }, { kind: 'new' }])
  })

  it('copy also what is not stored yet, and nothing of a session in which nothing was said', async () => {
    await using t = await open(1)
    await expect(t.type('/fork')).rejects.toThrow(expect.objectContaining({ code: 'USAGE', message: expect.stringContaining('nothing to copy') as string }))
    await t.h.run('mine')
    t.h.session.append('session/title', { title: 'just now', source: { kind: 'user' } })
    await t.type('/fork')
    expect((await t.h.ctx.sessionPersistence.load(t.h.session.id, new AbortController().signal)).events).toEqual(t.h.session.events)
  })

  it('take no other arguments', async () => {
    await using t = await open(1)
    await expect(t.type('/fork two words')).rejects.toThrow(expect.objectContaining({ code: 'USAGE' }))
  })

  it('say when the front door cannot change the session', async () => {
    await using t = await open(1)
    await expect(t.h.ctx.commands.run('/clear', { agent: t.h.agent, door: {}, signal: new AbortController().signal })).rejects.toThrow('no way to change the session')
  })
})

describe('/title', () => {
  it('names the session in its log', async () => {
    await using t = await open(1)
    expect(await t.type('/title  a  better name ')).toEqual({ kind: 'show', markdown: 'The title is now “a better name”.' })
    expect(t.h.session.events.at(-1)).toMatchObject({ type: 'session/title', data: { title: 'a better name' } })
    await expect(t.type('/title')).rejects.toThrow(expect.objectContaining({ code: 'USAGE' }))
  })
})

describe('/export', () => {
  it('writes a private file by its name, and never over one that is there', async () => {
    await using t = await open(1)
    await t.h.run('mine')
    const file = join(t.project, 'talk.md')
    expect(await t.type('/export talk.md')).toEqual({ kind: 'show', markdown: `Wrote ${file}` })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toContain('answer 0')
    await writeFile(file, 'precious')
    await expect(t.type('/export talk.md')).rejects.toThrow(expect.objectContaining({ code: 'USAGE' }))
    expect(await readFile(file, 'utf8')).toBe('precious')
    await expect(t.type('/export talk.doc')).rejects.toThrow('has to end in .md, .html or .json')
  })
})

it('comes and goes without a trace', async () => {
  const root = await tempWorkspace()
  await expect(runPluginContract(sessionCommands, { harness: { plugins: [[JsonlSessionPersistence, { root: root.path }], CommandRegistry] } })).resolves.toEqual({ added: [] })
  await root[Symbol.asyncDispose]()
})
