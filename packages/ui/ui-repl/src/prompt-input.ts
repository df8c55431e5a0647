/** Around the editor: completion, history, images, the user's own editor, and what a message becomes when it is sent. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { holdsKey, keysIn } from '@deepseek-ai/dsh-credentials'
import { describeError } from '@deepseek-ai/dsh-errors'
import { FileIndex, Ripgrep } from '@deepseek-ai/dsh-file-listing'
import type { FrontDoor } from '@deepseek-ai/dsh-front-door'
import type { FsLines, FsTarget } from '@deepseek-ai/dsh-fs'
import type { ContentBlock, ImageBlock } from '@deepseek-ai/dsh-llm'
import { droppedImagePath, ImageShelf, loadPrompt, readClipboardImage, readImageFile, typedText } from '@deepseek-ai/dsh-prompt-content'
import { editExternally, editorCommand, EditorError, HistoryPanel, PromptCompletion, type CommandEntry } from '@deepseek-ai/dsh-prompt-editor'
import { redactValues } from '@deepseek-ai/dsh-process-env'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { ReplScreen } from './repl-screen.ts'

export interface InputHost {
  agent(): Agent | undefined
  complain(error: unknown): void
}

/** A connection that waits is not kept for longer. */
const EXPECTED_MS = 10_000

const LISTING_TIMEOUT_MS = 20_000

export class PromptInput implements Disposable {
  readonly #ctx: Context
  readonly #screen: ReplScreen
  readonly #host: InputHost
  /** Read at the beginning: when the plugin goes it is not to be had any more. */
  readonly #frontDoor: FrontDoor
  readonly #life = new AbortController()
  readonly #shelf = new ImageShelf()
  #files: FileIndex | undefined
  /** Messages are sent in the order in which they were typed, whatever has to be read for them. */
  #sending: Promise<void> = Promise.resolve()
  #expectedAt = -Infinity
  /** Settles when what the user's own editor has left stands in ours. */
  #editing: Promise<void> = Promise.resolve()
  readonly #complaints = new Set<string>()

  constructor(ctx: Context, screen: ReplScreen, host: InputHost) {
    this.#ctx = ctx
    this.#screen = screen
    this.#host = host
    this.#frontDoor = ctx.frontDoor
    screen.editor.actions = {
      help: () => void this.#tell(async () => await ctx.commands.run('/keys', { agent: this.#agent, door: {}, signal: this.#life.signal })),
      openExternally: () => {
        this.#editing = this.#openExternally().catch((error: unknown) => host.complain(error))
      },
      searchHistory: () => void this.#searchHistory().catch((error: unknown) => this.#complain(error)),
      pasteImage: () => this.#addImage(signal => readClipboardImage(signal)),
      takePaste: text => this.#takeDropped(text),
    }
    screen.editor.onChange = text => this.#expect(text)
    screen.history.load().catch((error: unknown) => this.#complain(error))
  }

  [Symbol.dispose](): void {
    this.#life.abort(new Error('the user left'))
    this.#files?.[Symbol.dispose]()
  }

  /** Completes for this agent from now on. */
  open(agent: Agent): void {
    this.#files?.[Symbol.dispose]()
    const files = new FileIndex({ directory: agent.session.header.cwd ?? process.cwd(), ripgrep: new Ripgrep({ timeoutMs: LISTING_TIMEOUT_MS }) })
    this.#files = files
    this.#screen.editor.setAutocompleteProvider(new PromptCompletion({
      commands: signal => this.#commands(agent, signal),
      files: (query, limit, signal) => files.search(query, limit, signal),
      complain: error => this.#complain(error),
    }))
  }

  /** Keeps what was typed, unless it began with a blank or may hold a secret. */
  remember(text: string): void {
    const { editor, history } = this.#screen
    if (editor.wasPrivate || this.#isSecret(text)) return
    // What other processes have added is there for the next way up.
    history.add(text).then(() => history.load()).catch((error: unknown) => this.#complain(error))
  }

  /** What is thrown away comes back with ↑ for as long as this process lives. False when nothing was typed. */
  discard(): boolean {
    const { editor, history } = this.#screen
    const typed = editor.take()
    if (!this.#isSecret(typed)) history.remember(typed)
    return typed !== ''
  }

  /** True for a message that holds the key in use, which then does not go anywhere; the rest of it is back in the editor. */
  withholds(text: string): boolean {
    if (!holdsKey(text, process.env)) return false
    this.#screen.editor.load(redactValues(text, keysIn(process.env)))
    this.#note('That holds the API key that is in use, and was neither sent nor kept. /login takes another key')
    return true
  }

  /** What is still being typed when the screen goes, whyever: it stands in the editor of the screen that takes its place, and is there for ↑ at the next start. */
  async keepDraft(): Promise<void> {
    await this.#editing
    const { editor, history } = this.#screen
    const typed = editor.take()
    const isPrivate = editor.wasPrivate
    if (typed !== '') this.#frontDoor.leaveDraft(typed)
    const text = typed.trim()
    // Of a command nobody can say any more whether it holds a secret.
    const isKept = !/^(?:\/|$)/.test(text) && !isPrivate && !holdsKey(text, process.env)
    await Promise.all([isKept && history.add(text), history.flush()])
  }

  /** Sends a message with what it names; resolves when the agent has it. Never rejects. */
  async send(text: string, target: 'step' | 'turn'): Promise<void> {
    const images = this.#shelf.take(text)
    const before = this.#sending
    this.#sending = (async () => {
      await before
      try {
        const { content, notes } = await this.#load(text, images)
        for (const note of notes) this.#note(note)
        const agent = this.#agent
        this.#noteVision(agent, content)
        if (target === 'step') agent.steer(content)
        else agent.send(content)
      } catch (error) {
        if (!this.#life.signal.aborted) this.#host.complain(error)
      }
    })()
    await this.#sending
  }

  /** Makes ready what `send` needs. */
  async rehearse(): Promise<void> {
    this.#isSecret('/a b')
    await this.#load('a', [])
  }

  /** The text of a message that comes back into the editor; its images stand on the shelf again. */
  takeBack(content: readonly ContentBlock[]): string {
    const text = typedText(content)
    const images = content.filter(block => block.type === 'image')
    const marks = new Set(text.match(/\[image \d+\]/g)).size
    for (const image of images.slice(0, marks)) this.#shelf.add(image)
    return text
  }

  #isSecret(text: string): boolean {
    return this.#ctx.commands.isPrivate(text) || holdsKey(text, process.env)
  }

  /** A message is being typed: its request will find a connection. */
  #expect(text: string): void {
    const model = this.#host.agent()?.options.model
    if (model === undefined || !/^[^/!\s]/.test(text) || performance.now() - this.#expectedAt < EXPECTED_MS) return
    this.#expectedAt = performance.now()
    this.#ctx.get('llm')?.connect(model).catch((error: unknown) => this.#ctx.logger.debug('not connected beforehand: %s', error))
  }

  get #agent(): Agent {
    const agent = this.#host.agent()
    if (!agent) throw new Error('no session is open yet')
    return agent
  }

  async #load(text: string, images: readonly ImageBlock[]): ReturnType<typeof loadPrompt> {
    const agent = this.#agent
    const onRead = (target: FsTarget, { lines, more, totalLines, version }: FsLines): void => {
      const [from, to] = [lines[0]?.number ?? 1, lines.at(-1)?.number ?? 0]
      const range = from === 1 && !more ? {} : { range: { from, to, total: totalLines ?? to + 1 } }
      this.#ctx.root.emit(agent.scope as never, 'fs/observed', target, { by: 'read', version, ...range }, { session: agent.session })
    }
    return await loadPrompt(text, { fs: this.#ctx.get('fs'), cwd: agent.session.header.cwd ?? process.cwd(), images, onRead, signal: this.#life.signal })
  }

  #noteVision({ options }: Agent, content: readonly ContentBlock[]): void {
    const model = options.model ?? ''
    if (content.some(({ type }) => type === 'image') && this.#ctx.get('llm')?.info(model)?.vision === false) this.#note(`${model} cannot see images: it is told only that there is one. /model chooses another`)
  }

  async #commands(agent: Agent, signal: AbortSignal): Promise<CommandEntry[]> {
    const found = await this.#ctx.commands.available(agent.session.header.cwd ?? process.cwd(), signal)
    return found.map(command => ({
      name: command.name,
      description: command.description,
      argumentHint: command.argumentHint,
      aliases: command.aliases,
      ...(command.complete && { complete: (typed: string, each: AbortSignal) => command.complete?.(typed, { agent, door: {}, signal: each }).then(choices => [...choices]) ?? Promise.resolve([]) }),
    }))
  }

  async #openExternally(): Promise<void> {
    const { editor } = this.#screen
    const command = editorCommand(process.env)
    const text = editor.getExpandedText()
    try {
      editor.load(await this.#screen.lend(loan => editExternally(text, command, process.env, loan), error => error instanceof EditorError && error.code === 'EDITOR_KILLED'))
    } catch (error) {
      if (error instanceof EditorError && error.saved !== undefined) editor.load(error.saved)
      throw error
    }
  }

  async #searchHistory(): Promise<void> {
    const { slot, editor, theme, history } = this.#screen
    await history.load()
    const found = await slot.ask<string | undefined>(settle => new HistoryPanel({ theme, entries: history.entries, onDone: settle }), this.#life.signal)
    if (found !== undefined) editor.load(found)
  }

  /** A file that was dropped on the terminal. */
  #takeDropped(text: string): boolean {
    const path = droppedImagePath(text)
    const agent = this.#host.agent()
    if (path === undefined || !agent) return false
    this.#addImage(signal => readImageFile(path, agent.session.header.cwd ?? process.cwd(), signal), text)
    return true
  }

  #addImage(read: (signal: AbortSignal) => Promise<ImageBlock>, otherwise?: string): void {
    const { editor, screen } = this.#screen
    read(this.#life.signal).then(
      image => editor.insertTextAtCursor(`${this.#shelf.add(image)} `),
      (error: unknown) => {
        if (otherwise !== undefined) editor.insertTextAtCursor(otherwise)
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !this.#life.signal.aborted) this.#host.complain(error)
      },
    ).finally(() => screen.requestRender()).catch((error: unknown) => this.#host.complain(error))
  }

  async #tell(run: () => ReturnType<Context['commands']['run']>): Promise<void> {
    try {
      const result = await run()
      if (result?.kind === 'show') await this.#screen.showMarkdown(result.markdown)
    } catch (error) {
      this.#host.complain(error)
    }
  }

  #note(text: string): void {
    const { theme } = this.#screen
    this.#screen.note(`${theme.warning('!')} ${stripControls(text)}`)
  }

  /** What is wrong every time is told once. */
  #complain(error: unknown): void {
    const text = describeError(error)
    if (this.#life.signal.aborted || this.#complaints.has(text)) return
    this.#complaints.add(text)
    this.#host.complain(error)
  }
}
