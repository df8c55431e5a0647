/** What a line about a call says, where the tool has no words of its own. Pure. */

import { parseJsonObject } from '@deepseek-ai/dsh-json'

/** The most telling of the arguments where there is one, else all of them as the model wrote them. */
export function tellingArgument(raw: string): string {
  const parsed = parseJsonObject(raw)
  if (parsed.kind === 'invalid') return raw
  const { command, file_path: path, pattern, query, url } = parsed.value
  const telling = [command, path, pattern, query, url].find(value => typeof value === 'string')
  return typeof telling === 'string' ? telling : raw
}
