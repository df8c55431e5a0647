/**
 * Whether somebody looks at the terminal, what its window is called, and a call
 * when something is waiting and nobody looks.
 *
 *   ESC [ ? 1004 h / l   reports of the focus: ESC [ I when it comes, ESC [ O when it goes
 *   ESC [ 22 ; 0 t       keeps the title, ESC [ 23 ; 0 t brings it back
 *   ESC ] 0 ; text BEL   sets it
 */

import { chooseNotification, inLine, notification, type NotificationKind, type NotifySetting } from './notification.ts'

export interface AttentionOptions {
  env: NodeJS.ProcessEnv
  notify: NotifySetting
  /** A turn that took no longer is not announced. */
  afterSeconds: number
  /** Whether the window gets a title. */
  title: boolean
  write(bytes: string): void
}

const FOCUS_IN = '\u001b[I'
const FOCUS_OUT = '\u001b[O'
const LONGEST_TITLE = 80

/** Terminals without a window have no title, and some of them print the request. */
const WITHOUT_TITLE = /^(?:linux|cons|vt\d|dumb|ansi)/

export class TerminalAttention {
  /** What to write when the terminal is taken, and when it is given back. */
  readonly modes: { enter(): string; leave: string }
  readonly #kind: NotificationKind
  readonly #options: AttentionOptions
  readonly #hasTitle: boolean
  #title = ''
  /** A terminal that never reports is taken to be looked at. */
  #isFocused = true
  #since: number | undefined

  constructor(options: AttentionOptions) {
    const { env, notify, title } = options
    this.#options = options
    this.#kind = chooseNotification(notify, env)
    this.#hasTitle = title && !WITHOUT_TITLE.test(env['TERM'] ?? 'dumb')
    const on = `${this.#kind === 'off' ? '' : '\u001b[?1004h'}${this.#hasTitle ? '\u001b[22;0t' : ''}`
    this.modes = {
      enter: () => on + this.#titleBytes(),
      leave: `${this.#kind === 'off' ? '' : '\u001b[?1004l'}${this.#hasTitle ? '\u001b[23;0t' : ''}`,
    }
  }

  get isFocused(): boolean {
    return this.#isFocused
  }

  /** True when the input was a report of the focus, which is not for anybody else. */
  take(input: string): boolean {
    if (input !== FOCUS_IN && input !== FOCUS_OUT) return false
    this.#isFocused = input === FOCUS_IN
    return true
  }

  /** The window's title from now on; the same one is not written again. */
  setTitle(text: string): void {
    const title = inLine(text, LONGEST_TITLE)
    if (title === this.#title) return
    this.#title = title
    const bytes = this.#titleBytes()
    if (bytes !== '') this.#options.write(bytes)
  }

  /** Something has begun that may take long. */
  begin(now = performance.now()): void {
    this.#since ??= now
  }

  /** It has come to an end, which is announced when it took long and nobody looks. */
  end(text: string, now = performance.now()): void {
    const since = this.#since
    this.#since = undefined
    if (since !== undefined && now - since >= this.#options.afterSeconds * 1000) this.call(text)
  }

  /** Something waits for the user: announced when nobody looks, however long it took. */
  call(text: string): void {
    if (this.#isFocused) return
    const bytes = notification(this.#kind, text)
    if (bytes !== '') this.#options.write(bytes)
  }

  #titleBytes(): string {
    return this.#hasTitle && this.#title !== '' ? `\u001b]0;${this.#title}\u0007` : ''
  }
}
