import { mkdir, readFile, stat } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { CommandRegistry, type CommandDoor } from '@deepseek-ai/dsh-commands'
import { removeCredential, storeCredential } from '@deepseek-ai/dsh-credentials'
import { FrontDoor, type RunRequest } from '@deepseek-ai/dsh-front-door'
import { LlmError, type LlmAdapter } from '@deepseek-ai/dsh-llm'
import { harness, runPluginContract, tempWorkspace, type Harness, type Workspace } from '@deepseek-ai/dsh-testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as loginCommand from '../src/index.ts'

const NAME = 'DEEPSEEK_API_KEY'

let before: string | undefined

beforeEach(() => {
  before = process.env[NAME]
  delete process.env[NAME]
})

afterEach(() => {
  if (before === undefined) delete process.env[NAME]
  else process.env[NAME] = before
})

const terminal = () => ({ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() })

interface Opened extends AsyncDisposable {
  h: Harness
  home: Workspace
  file: string
  type(line: string, door?: CommandDoor): Promise<string>
}

/** `asked` is what the provider says when it is asked with the key of the environment. */
async function open(asked: (key: string | undefined, signal: AbortSignal) => Promise<unknown> = async () => undefined, more: Partial<RunRequest> = {}): Promise<Opened> {
  const home = await tempWorkspace()
  const file = home.resolve('config/credentials')
  const request: RunRequest = { cwd: '/', agentOptions: {}, verbosity: 'normal', defaultModels: { withKey: 'deepseek-flash', withoutKey: 'script' }, ...more }
  const h = await harness({ plugins: [[FrontDoor as never, { terminal: terminal(), request }], CommandRegistry, [loginCommand, { credentials: file, checkMs: 200 }]] })
  h.ctx.llm.registerAdapter(['deepseek-flash'], { stream: () => { throw new Error('never asked') }, discover: async signal => (await asked(process.env[NAME], signal), []) } satisfies LlmAdapter)
  return {
    h, home, file,
    async type(line, door = {}) {
      const result = await h.ctx.commands.run(line, { agent: h.agent, door, signal: new AbortController().signal })
      return result?.kind === 'show' ? result.markdown : 'nothing'
    },
    async [Symbol.asyncDispose]() {
      await h.dispose()
      await home.dispose()
    },
  }
}

const giving = (key: string | undefined): CommandDoor => ({ askSecret: async () => key })

const nothing = async (file: string): Promise<boolean> => await stat(file).then(() => false, () => true)

describe('/login', () => {
  it('stores the key for its user alone, uses it at once, and says which model answers now', async () => {
    const asked: unknown[] = []
    await using o = await open(async key => void asked.push(key))
    const seq = o.h.session.seq
    expect(await o.type('/login', giving(' sk-new \n'))).toBe(`The key is stored in \`${o.file}\`, which only you can read. From the next message on **deepseek-flash** answers.`)

    expect([await readFile(o.file, 'utf8'), (await stat(o.file)).mode & 0o777]).toEqual(['DEEPSEEK_API_KEY=sk-new\n', 0o600])
    expect([process.env[NAME], o.h.agent.options.model, asked]).toEqual(['sk-new', 'deepseek-flash', ['sk-new']])
    expect([o.h.session.seq, o.h.log]).toEqual([seq, []])
  })

  it('leaves a model that was chosen', async () => {
    await using o = await open(undefined, { defaultModels: { withKey: 'deepseek-flash', withoutKey: 'offline' } })
    expect(await o.type('/login deepseek', giving('sk-new'))).toContain('**script** answers, as before; **/model** chooses another.')
  })

  it.each([undefined, '', '  '])('changes nothing without a key: %j', async key => {
    await using o = await open()
    expect(await o.type('/login', giving(key))).toBe('No key was given, and nothing was changed.')
    expect([process.env[NAME], await nothing(o.file)]).toEqual([undefined, true])
  })

  it('takes no key that the provider refuses, and says so without it', async () => {
    await using o = await open(async () => {
      throw new LlmError('AUTH', 'api.example.com refused the request (401)')
    })
    process.env[NAME] = 'sk-old'
    await expect(o.type('/login', giving('sk-wrong'))).rejects.toThrow(expect.objectContaining({ code: 'KEY_REFUSED', message: 'DeepSeek does not take this key, and nothing was changed: api.example.com refused the request (401)' }))
    expect([process.env[NAME], await nothing(o.file), o.h.agent.options.model]).toEqual(['sk-old', true, 'script'])
  })

  it.each<[string, (signal: AbortSignal) => Promise<unknown>, string]>([
    ['cannot be reached', async () => { throw new LlmError('UNREACHABLE', 'there is no way to api.example.com') }, 'there is no way to api.example.com'],
    ['does not answer', async signal => await new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason as Error)) }), 'no answer within 0.2 s'],
  ])('takes a key while the provider %s, and says that it was not asked', async (_what, answer, why) => {
    await using o = await open(async (_key, signal) => await answer(signal))
    expect(await o.type('/login', giving('sk-new'))).toMatch(new RegExp(`Whether DeepSeek takes it could not be asked: ${why}\\.$`))
    expect(process.env[NAME]).toBe('sk-new')
  })

  it.each(['two words', 'sk-"quoted"', 'k'.repeat(5000)])('refuses what can be no key, and nothing is asked: %j', async key => {
    await using o = await open(async () => {
      throw new Error('must not be asked')
    })
    await expect(o.type('/login', giving(key))).rejects.toThrow(expect.objectContaining({ code: 'CREDENTIALS_INVALID' }))
    expect([process.env[NAME], await nothing(o.file)]).toEqual([undefined, true])
  })

  it('leaves everything as it was when the key cannot be stored', async () => {
    await using o = await open()
    await mkdir(o.file, { recursive: true })
    await expect(o.type('/login', giving('sk-new'))).rejects.toThrow('is not a file')
    expect([process.env[NAME], o.h.agent.options.model]).toEqual([undefined, 'script'])
  })

  it('says when the environment will go before it at the next start', async () => {
    await using o = await open()
    process.env[NAME] = 'sk-of-the-environment'
    expect(await o.type('/login', giving('sk-new'))).toContain('DEEPSEEK_API_KEY is set in the environment: the next start takes that one again')
  })

  it('does not take a key that stands behind it, and does not repeat it', async () => {
    await using o = await open()
    const failure = await o.type('/login sk-typed', giving('never asked')).catch((error: Error) => error.message)
    expect(failure).toBe('what stands behind /login is no provider (there is deepseek), and nothing was changed. A key does not go there, where it can be seen: /login alone asks for it')
    expect(o.h.ctx.commands.isPrivate('/login sk-typed')).toBe(true)
  })

  it('is refused where a secret cannot be asked for', async () => {
    await using o = await open()
    await expect(o.type('/login')).rejects.toThrow(expect.objectContaining({ code: 'NOT_AT_THIS_DOOR', message: expect.stringContaining('dsh auth in a terminal does the same') as string }))
  })
})

describe('/logout', () => {
  it('forgets the key here and in the file, and the model that nobody chose', async () => {
    await using o = await open()
    await o.type('/login', giving('sk-new'))
    expect(await o.type('/logout')).toBe(`The key is gone from \`${o.file}\`. From the next message on **script** answers.`)
    expect([process.env[NAME], await nothing(o.file), o.h.agent.options.model]).toEqual([undefined, true, 'script'])
    expect(await o.type('/logout')).toBe('No key is stored. **script** answers, as before.')
  })

  it('forgets a key that another program has taken out of the file, or replaced there', async () => {
    await using o = await open()
    await o.type('/login', giving('sk-one'))
    await removeCredential(o.file, NAME)
    expect(await o.type('/logout')).toBe(`The key is forgotten here; it was gone from \`${o.file}\` already. From the next message on **script** answers.`)
    expect(process.env[NAME]).toBeUndefined()

    await o.type('/login', giving('sk-two'))
    await storeCredential(o.file, NAME, 'sk-of-another')
    expect(await o.type('/logout')).toBe(`The key is forgotten here. \`${o.file}\` holds another one by now, which is left there; **/logout** once more removes it. From the next message on **script** answers.`)
    expect([process.env[NAME], await readFile(o.file, 'utf8')]).toEqual([undefined, 'DEEPSEEK_API_KEY=sk-of-another\n'])
    expect(await o.type('/logout')).toBe(`The key is gone from \`${o.file}\`. **script** answers, as before.`)
    expect(await nothing(o.file)).toBe(true)
  })

  it('forgets the one that the program had taken out of the file at its start', async () => {
    await using o = await open(undefined, { storedKeys: new Map([[NAME, undefined]]) })
    process.env[NAME] = 'sk-at-the-start'
    expect(await o.type('/logout')).toContain('The key is forgotten here; it was gone from')
    expect(process.env[NAME]).toBeUndefined()
  })

  it('goes back to the key that the environment had before a login', async () => {
    await using o = await open()
    process.env[NAME] = 'sk-of-the-environment'
    await o.type('/login', giving('sk-one'))
    await o.type('/login', giving('sk-two'))
    expect(await o.type('/logout')).toBe(`The key is gone from \`${o.file}\`. DEEPSEEK_API_KEY is set in the environment, and goes on being used.`)
    expect(process.env[NAME]).toBe('sk-of-the-environment')
  })

  it('leaves the key of the environment, and says so', async () => {
    await using o = await open()
    process.env[NAME] = 'sk-of-the-environment'
    expect(await o.type('/logout')).toBe('No key is stored. DEEPSEEK_API_KEY is set in the environment, and goes on being used.')
    expect(process.env[NAME]).toBe('sk-of-the-environment')
  })
})

it('comes and goes without a trace', async () => {
  await expect(runPluginContract(loginCommand, { config: { checkMs: 0 }, harness: { plugins: [CommandRegistry] }, contributions: ctx => ({ command: ctx.commands.registered() }) })).resolves.toEqual({ added: ['command login', 'command logout'] })
})
