/**
 * The input of the stream-json format, and its control requests in both directions.
 *
 *     → {"type":"user","message":{"role":"user","content": text | blocks}}
 *     → {"type":"control_request","request_id","request":{"subtype": initialize | interrupt | set_model | set_permission_mode}}
 *     ← {"type":"control_response","response":{"subtype":"success"|"error","request_id", …}}
 *     ← {"type":"control_request","request_id","request":{"subtype":"can_use_tool", …}}
 *     → {"type":"control_response","response":{"subtype":"success","request_id","response":{"behavior":"allow"|"deny", …}}}
 *     ← {"type":"control_cancel_request","request_id"}      the question is withdrawn
 */

import { describeError } from '@deepseek-ai/dsh-errors'
import type { Answerer } from '@deepseek-ai/dsh-approval'
import type { JsonObject } from '@deepseek-ai/dsh-json'
import { InputError } from './input-error.ts'
import { readBlocks } from './read-blocks.ts'
import { StreamAnswerer } from './stream-answerer.ts'
import { modeFromStream } from './stream-modes.ts'
import type { InputProtocol, ScriptHost } from './types.ts'

export class StreamInput implements InputProtocol {
  readonly #answers = new StreamAnswerer()

  take(line: JsonObject, host: ScriptHost): void {
    switch (line['type']) {
      case 'user':
        return host.send(readBlocks((line['message'] as JsonObject | undefined)?.['content']))
      case 'control_request':
        return respond(line, host)
      case 'control_response':
        return this.#answers.take(objectOf(line['response'], 'response'), host)
      case 'keep_alive':
      case 'control_cancel_request':
        return
      default:
        throw new InputError('BAD_LINE', '"type" has to be one of user, control_request, control_response')
    }
  }

  answerer(host: Pick<ScriptHost, 'write'>): Answerer {
    return this.#answers.over(host)
  }

  end(): void {
    this.#answers.end()
  }
}

/** What goes wrong is said in the answer: whoever asked waits for it. */
function respond({ request_id: id, request }: JsonObject, host: ScriptHost): void {
  if (typeof id !== 'string') throw new InputError('BAD_LINE', 'a control request has a "request_id"')
  try {
    const response = act(objectOf(request, 'request'), host)
    host.write({ type: 'control_response', response: { subtype: 'success', request_id: id, response } })
  } catch (error) {
    host.write({ type: 'control_response', response: { subtype: 'error', request_id: id, error: describeError(error) } })
  }
}

function act({ subtype, model, mode }: JsonObject, host: ScriptHost): object {
  switch (subtype) {
    case 'initialize':
      return { commands: [], agents: [], output_style: 'default', available_output_styles: ['default'], models: host.models().map(name => ({ value: name, displayName: name, description: name })), account: {}, pid: process.pid }
    case 'interrupt':
      host.cancel('interrupted by the script')
      return {}
    case 'set_model':
      // Without a name: back to the one that the run began with.
      host.setModel(typeof model === 'string' && model !== 'default' ? model : undefined)
      return {}
    case 'set_permission_mode':
      if (typeof mode !== 'string') throw new InputError('BAD_LINE', '"mode" is the name of a permission mode')
      host.setMode(modeFromStream(mode))
      return { mode }
    default:
      throw new InputError('UNSUPPORTED', `the request "${String(subtype)}" is not known here`)
  }
}

function objectOf(value: unknown, name: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new InputError('BAD_LINE', `"${name}" has to be an object`)
}
