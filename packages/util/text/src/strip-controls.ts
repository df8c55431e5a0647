/** Makes text from models, tools and files safe to print: no control sequence reaches the terminal. */

import { stripVTControlCharacters } from 'node:util'

/** C0 without tab and newline, DEL, C1, and the bidirectional overrides that make text read as something else. */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** String controls (OSC, DCS, SOS, PM, APC) with their payload; an unended one runs to the end of its line. */
// oxlint-disable-next-line no-control-regex
const STRING_CONTROL = /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g

/** Keeps tabs and newlines; CRLF becomes LF and a lone CR is dropped. */
export function stripControls(text: string): string {
  return stripVTControlCharacters(text.replace(STRING_CONTROL, '')).replace(UNSAFE, '')
}
