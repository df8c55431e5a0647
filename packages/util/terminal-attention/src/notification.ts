/** The ways in which a program in a terminal can call somebody who looks elsewhere. Pure. */

import { stripControls } from '@deepseek-ai/dsh-text'

/**
 * `bell` is BEL; the others are what desktop notifications are sent with:
 *
 *   osc9     ESC ] 9 ; text BEL                      iTerm2, WezTerm, Ghostty, kitty, Windows Terminal
 *   osc777   ESC ] 777 ; notify ; title ; text BEL   rxvt-unicode, foot, VTE
 */
export type NotificationKind = 'off' | 'bell' | 'osc9' | 'osc777'

/** `auto`: what the terminal is known to understand, else the bell. */
export type NotifySetting = NotificationKind | 'auto'

/** Longer texts are cut: a notification is a line. */
const LONGEST = 200

const BEL = '\u0007'
const OSC9_PROGRAMS: ReadonlySet<string | undefined> = new Set(['iTerm.app', 'WezTerm', 'ghostty'])

/** A multiplexer passes the bell on and swallows the rest. */
export function chooseNotification(setting: NotifySetting, env: NodeJS.ProcessEnv): NotificationKind {
  if (setting !== 'auto') return setting
  if (env['TMUX'] || env['STY']) return 'bell'
  const terminal = env['TERM'] ?? ''
  if (OSC9_PROGRAMS.has(env['TERM_PROGRAM']) || terminal.includes('kitty')) return 'osc9'
  if (terminal.startsWith('foot') || terminal.startsWith('rxvt-unicode') || env['VTE_VERSION']) return 'osc777'
  return 'bell'
}

/** The bytes to write; empty for `off`. Control sequences in the text are left out. */
export function notification(kind: NotificationKind, text: string): string {
  const words = inLine(text)
  switch (kind) {
    case 'off':
      return ''
    case 'bell':
      return BEL
    case 'osc9':
      return `\u001b]9;${words}${BEL}`
    case 'osc777':
      return `\u001b]777;notify;dsh;${words.replaceAll(';', ',')}${BEL}`
  }
}

/** One line without control characters, of bounded length. */
export function inLine(text: string, longest = LONGEST): string {
  const line = stripControls(text.slice(0, 4 * longest)).replace(/\s+/g, ' ').trim()
  const points = [...line]
  return points.length > longest ? `${points.slice(0, longest - 1).join('')}…` : line
}
