/** The keys of the terminal conversation, for whoever asks. Pure. */

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Enter', 'sends; while the model works it reads it before its next step'],
  ['Alt-Enter', 'queues it for the next turn'],
  ['Alt-↑', 'takes the last queued message back into the editor'],
  ['Shift-Enter, Ctrl-J, \\ and Enter', 'begins a new line'],
  ['Esc, Ctrl-C', 'stops what runs; the queue stays'],
  ['Ctrl-C', 'throws away what is typed (↑ brings it back); twice leaves'],
  ['Ctrl-D', 'leaves, where nothing is typed'],
  ['↑ ↓', 'goes through what was typed before; Ctrl-R searches it'],
  ['Tab', 'completes /commands, their arguments and @files'],
  ['@file, @file:10-40', 'sends the file, or these lines of it, along'],
  ['!command', 'runs it in the shell; the model sees its output'],
  ['Ctrl-V', 'puts the image of the clipboard in; so does dropping an image file'],
  ['Ctrl-G, Ctrl-X Ctrl-E', 'opens what is typed in $VISUAL or $EDITOR'],
  ['Shift-Tab', 'changes the permission mode'],
  ['Ctrl-O', 'shows what was folded last'],
  ['Ctrl-L', 'draws the screen anew'],
  ['Ctrl-Z', 'lets the shell have the terminal; fg comes back'],
  ['Ctrl-A, Ctrl-E, Alt-B, Alt-F', 'beginning and end of the line, a word back and on'],
  ['Ctrl-U, Ctrl-K, Ctrl-W, Alt-D', 'cuts to the beginning, to the end, a word back, a word on'],
  ['Ctrl-Y, Alt-Y, Ctrl-_', 'puts back what was cut, what was cut before it; undoes'],
]

const VI: readonly (readonly [keys: string, what: string])[] = [
  ['Esc', 'normal mode: h j k l 0 ^ $ w b e gg G, i a I A o O, x X r s p P u, d c y with a motion, D C, counts'],
]

/** As Markdown. */
export function renderKeys(keys: 'emacs' | 'vi'): string {
  const rows = keys === 'vi' ? [...KEYS, ...VI] : KEYS
  return ['**Keys**', '', ...rows.map(([key, what]) => `- \`${key}\` ${what}`)].join('\n')
}
