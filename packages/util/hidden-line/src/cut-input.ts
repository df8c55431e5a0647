/** Where typed input may change hands. Pure. */

/** The ends of lines as Node's editor of lines knows them, and Ctrl-C, Ctrl-D and Ctrl-Z, which may end a question as well. */
// oxlint-disable-next-line no-control-regex
const END = /\r\n|[\r\n\u2028\u2029\u0003\u0004\u001a]/

/** The first part, with its end, and the rest. Without an end the first part is all there is. */
export function cutInput(text: string): [first: string, rest: string] {
  const end = END.exec(text)
  if (!end) return [text, '']
  const at = end.index + end[0].length
  return [text.slice(0, at), text.slice(at)]
}
