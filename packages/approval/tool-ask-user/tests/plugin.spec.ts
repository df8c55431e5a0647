import type { Context, Plugin } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { ApprovalService, type Answerer, type Inquiry, type InquiryAnswer } from '@deepseek-ai/dsh-approval'
import { call, eventsOf, harness, hang, reply, runPluginContract, type Harness, type HarnessOptions } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import * as toolAskUser from '../src/index.ts'

const QUESTIONS: Record<string, string | string[] | boolean>[] = [{ question: 'Which one?', options: ['a', 'b'], multiple: true }, { question: 'And why?' }]

/** A front door with or without a way to put questions. */
const door = (inquire?: Answerer['inquire']): Plugin => ({
  name: 'front-door',
  inject: ['approval'],
  apply: (ctx: Context) => void ctx.approval.setAnswerer({ approve: async () => ({ kind: 'deny' }), ...(inquire && { inquire }) }),
})

const answering = (answer: InquiryAnswer): Plugin => door(async () => answer)

const open = (frontDoor: readonly Plugin[], options: HarnessOptions = {}): Promise<Harness> => harness({ ...options, plugins: [ApprovalService, ...frontDoor, toolAskUser] })

const offered = ({ ctx }: Harness, agent: Agent): boolean => ctx.tools.get('ask_user', agent.scope) !== undefined

/** The one result in the log: its text, and the code of its error. */
function resultIn(h: Harness): unknown {
  const [result] = eventsOf(h, 'tool/result')
  return result && { said: result.data.content, code: result.data.error?.code }
}

const text = (of: string): unknown => [{ type: 'text', text: of }]

describe('ask_user', () => {
  it('puts the questions to the front door, and lists each with its answer', async () => {
    const asked: Inquiry[] = []
    await using h = await open([door(async inquiry => (asked.push(inquiry), { kind: 'answered', answers: [['a', 'b'], ['It is\nthe best.']] }))], { model: [call('ask_user', { questions: QUESTIONS }), reply('Good.')] })
    await h.run('go')

    expect(asked.map(({ agent, questions }) => [agent, questions])).toEqual([[h.agent, QUESTIONS]])
    expect(resultIn(h)).toEqual({ said: text('1. Which one?\n   - a\n   - b\n2. And why?\n   - It is\n     the best.'), code: undefined })
    expect(eventsOf(h, 'approval/answered').map(({ data }) => data.answer)).toEqual([{ kind: 'answered', answers: [['a', 'b'], ['It is\nthe best.']] }])
  })

  it.each<[string, InquiryAnswer, string, string | undefined]>([
    ['all were left open', { kind: 'answered', answers: [] }, '1. Which one?\n   (left open: decide yourself)\n2. And why?\n   (left open: decide yourself)', undefined],
    ['the user declines', { kind: 'declined' }, 'Error: the user does not answer. Decide yourself with what you know, and say in your answer what you assumed.', 'DECLINED'],
    ['the user declines with words', { kind: 'declined', reason: 'ask me later' }, 'Error: the user does not answer: ask me later. Decide yourself with what you know, and say in your answer what you assumed.', 'DECLINED'],
    ['this agent cannot ask', { kind: 'unavailable' }, 'Error: nobody can be asked here. Decide yourself with what you know, and say in your answer what you assumed.', 'NOBODY_TO_ASK'],
    ['nobody answers in time', { kind: 'unavailable', reason: 'nobody answered within 5 s' }, 'Error: nobody answered within 5 s. Decide yourself with what you know, and say in your answer what you assumed.', 'NOBODY_TO_ASK'],
  ])('tells the model when %s', async (_when, answer, said, code) => {
    await using h = await open([answering(answer)], { model: [call('ask_user', { questions: QUESTIONS }), reply('Good.')] })
    await h.run('go')

    expect(resultIn(h)).toEqual({ said: text(said), code })
  })

  it('refuses what nobody could be asked, without asking', async () => {
    await using h = await open([answering({ kind: 'declined' })], { model: [call('ask_user', { questions: [{ question: ' ' }] }), reply('Good.')] })
    await h.run('go')

    expect(resultIn(h)).toEqual({ said: text('Error: question 1 is empty'), code: 'INVALID_QUESTIONS' })
    expect(eventsOf(h, 'approval/inquired')).toEqual([])
  })

  it('is refused without an agent', async () => {
    await using h = await open([answering({ kind: 'declined' })])
    const tool = h.ctx.tools.get('ask_user', h.agent.scope)

    await expect(tool?.execute({ questions: QUESTIONS }, { callId: 'c', name: 'ask_user', cwd: '/', signal: new AbortController().signal })).rejects.toMatchObject({ code: 'NOBODY_TO_ASK' })
  })

  it('is given up with the turn', async () => {
    await using h = await open([door((_inquiry, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))))], { model: [call('ask_user', { questions: QUESTIONS })] })
    h.agent.send('go')
    await h.saw('approval/inquired')
    h.agent.cancel('stopped')
    await h.agent.whenIdle()

    expect(resultIn(h)).toMatchObject({ code: 'ABORTED' })
  })
})

describe('the tool is offered', () => {
  it.each<[string, Plugin[], boolean]>([
    ['where questions can be put', [answering({ kind: 'declined' })], true],
    ['not where approvals only are answered', [door()], false],
    ['not where nobody answers', [], false],
  ])('to a new session: %s', async (_where, doors, isOffered) => {
    await using h = await open(doors)
    expect(offered(h, h.agent)).toBe(isOffered)
  })

  it('to a session that goes on as before, whoever is there now, and then its calls are refused', async () => {
    await using h = await open([], { model: [hang(), call('ask_user', { questions: QUESTIONS }), reply('Good.')] })
    const removeDoor = h.ctx.approval.setAnswerer({ approve: async () => ({ kind: 'deny' }), inquire: async () => ({ kind: 'declined' }) })
    const { agent } = h.create()
    agent.send('go')
    while (h.script.requests.length === 0) await new Promise(resolve => setImmediate(resolve))
    agent.cancel()
    await agent.whenIdle()
    removeDoor()

    const { agent: resumed } = h.create({ seed: agent.session.events })
    expect(offered(h, resumed)).toBe(true)
    resumed.send('go on')
    await resumed.whenIdle()

    expect(h.script.requests.map(({ tools }) => tools?.map(tool => tool.name))).toEqual([['ask_user'], ['ask_user'], ['ask_user']])
    expect(resumed.session.events.find(({ type }) => type === 'tool/result')?.data).toMatchObject({ isError: true, error: { code: 'NOBODY_TO_ASK' } })
    expect(resumed.session.events.filter(({ type }) => type === 'approval/inquired')).toEqual([])
  })

  it('not to a session that began without it', async () => {
    await using h = await open([], { model: [reply('Hello.'), reply('Hello again.')] })
    await h.run('go')
    const remove = h.ctx.approval.setAnswerer({ approve: async () => ({ kind: 'deny' }), inquire: async () => ({ kind: 'declined' }) })
    const { agent: resumed } = h.create({ seed: h.session.events })

    expect(offered(h, resumed)).toBe(false)
    remove()
  })

  it('to a child as to its parent', async () => {
    await using h = await open([])
    const remove = h.ctx.approval.setAnswerer({ approve: async () => ({ kind: 'deny' }), inquire: async () => ({ kind: 'declined' }) })
    const other = h.create()
    const [childOfNone, childOfOther] = [h.agent, other.agent].map(parent => h.create({ parent }).agent)

    expect([h.agent, other.agent, childOfNone, childOfOther].map(agent => agent && offered(h, agent))).toEqual([false, true, false, true])
    await other.dispose()
    remove()
  })

  it('until its plugin is unloaded, also to agents that were there before', async () => {
    await using h = await harness({ plugins: [ApprovalService, answering({ kind: 'declined' })] })
    const fiber = h.ctx.plugin(toolAskUser)
    await fiber
    expect(offered(h, h.agent)).toBe(true)
    await fiber.dispose()

    expect(offered(h, h.agent)).toBe(false)
    expect(offered(h, h.create().agent)).toBe(false)
  })
})

it('comes and goes without a trace', async () => {
  await expect(runPluginContract(toolAskUser, { harness: { plugins: [ApprovalService, answering({ kind: 'declined' })] } })).resolves.toBeDefined()
})
