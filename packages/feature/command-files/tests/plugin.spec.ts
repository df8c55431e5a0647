import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandRegistry } from '@deepseek-ai/dsh-commands'
import { harness, runPluginContract, tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import * as commandFiles from '../src/index.ts'

async function put(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, text)
}

async function open() {
  const project = await tempWorkspace()
  const user = await tempWorkspace()
  const h = await harness({ plugins: [CommandRegistry, [commandFiles, { user: [user.path] }]], create: { meta: { cwd: project.path } } })
  const signal = new AbortController().signal
  return {
    h,
    project: project.path,
    user: user.path,
    names: async () => (await h.ctx.commands.available(project.path, signal)).map(({ name }) => name),
    type: async (line: string) => await h.ctx.commands.run(line, { agent: h.agent, door: {}, signal }),
    async [Symbol.asyncDispose]() {
      await h.dispose()
      await project[Symbol.asyncDispose]()
      await user[Symbol.asyncDispose]()
    },
  }
}

describe('Markdown files', () => {
  it('of the project and of the user are commands, the project first', async () => {
    await using t = await open()
    await put(join(t.project, '.dsh/commands/review.md'), 'Review $1')
    await put(join(t.project, '.claude/commands/team/Ship It.md'), 'Ship')
    await put(join(t.user, 'review.md'), 'the user\'s')
    await put(join(t.user, 'notes.txt'), 'no command')
    await put(join(t.user, 'greet.md'), 'Greet')

    expect(await t.names()).toEqual(['greet', 'help', 'review', 'team:ship-it'])
    expect(await t.type('/review a.ts')).toEqual({ kind: 'prompt', content: 'Review a.ts' })
  })

  it('are offered only as what can be typed and sent', async () => {
    await using t = await open()
    await put(join(t.user, 'Ünï cödé!.md'), 'signs')
    await put(join(t.user, '日本.md'), 'no letter')
    await put(join(t.user, '-x- /-y-.md'), 'dashes')
    await put(join(t.user, 'empty.md'), '---\ndescription: nothing\n---\n \n')
    await writeFile(join(t.user, 'binary.md'), Buffer.from([0xff, 0xfe, 0x62]))
    await put(join(t.user, 'zero.md'), 'a\0b')
    await put(join(t.user, 'hint.md'), '---\nargument-hint:\n  a: b\n---\ntext')

    expect(await t.names()).toEqual(['help', 'hint', 'uni-code', 'x:y'])
    expect(await t.type('/uni-code')).toEqual({ kind: 'prompt', content: 'signs' })
    expect((await t.h.ctx.commands.available(t.project, new AbortController().signal)).find(({ name }) => name === 'hint')).not.toHaveProperty('argumentHint')
  })

  it('are found by everybody who asks at the same time', async () => {
    await using t = await open()
    await put(join(t.user, 'greet.md'), 'Greet')

    expect(await Promise.all([t.names(), t.names(), t.type('/greet')])).toEqual([['greet', 'help'], ['greet', 'help'], { kind: 'prompt', content: 'Greet' }])
  })

  it('are read anew when they change', async () => {
    await using t = await open()
    const path = join(t.user, 'greet.md')
    await put(path, 'Good day')
    expect(await t.type('/greet')).toEqual({ kind: 'prompt', content: 'Good day' })
    await put(path, 'Good night')
    await utimes(path, 1, 1)
    expect(await t.type('/greet')).toEqual({ kind: 'prompt', content: 'Good night' })
  })

  it('that cannot be used are told of once, and the others stay', async () => {
    await using t = await open()
    await put(join(t.user, 'bad.md'), '---\n- list\n---\nx')
    await put(join(t.user, 'large.md'), 'x'.repeat(300_000))
    await put(join(t.user, 'good.md'), 'fine')
    await symlink('/etc/hostname', join(t.user, 'link.md'))

    expect([await t.names(), await t.names()]).toEqual([['good', 'help'], ['good', 'help']])
    expect(t.h.log.map(({ text }) => text.replace(t.user, '…'))).toEqual([
      expect.stringMatching(/command file …\/bad\.md cannot be used: .*no map/),
      expect.stringMatching(/command file …\/large\.md cannot be used: it has 300000 bytes/),
    ])
  })
})

it('comes and goes without a trace', async () => {
  await expect(runPluginContract(commandFiles, { config: { user: [] }, harness: { plugins: [CommandRegistry] } })).resolves.toEqual({ added: [] })
})
