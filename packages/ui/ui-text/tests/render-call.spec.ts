import { describe, expect, it } from 'vitest'
import { renderProgress } from '../src/progress.ts'
import { renderCall, renderResult } from '../src/render-call.ts'

const call = (name: string, args: string) => ({ turn: 1, step: 1, callId: 'c', name, arguments: args })
const result = (text: string, isError = false) => ({ turn: 1, step: 1, callId: 'c', content: text === '' ? [] : [{ type: 'text' as const, text }], isError })

describe('the line of a call', () => {
  it.each([
    ['bash', '{"command":"npm test","timeoutMs":5}', '● bash npm test'],
    ['read', '{"offset":1,"file_path":"a.txt"}', '● read a.txt'],
    ['grep', '{"path":"src","pattern":"x y"}', '● grep x y'],
    ['web_search', '{"query":"cordis"}', '● web_search cordis'],
    ['web_fetch', '{"url":"https://example.org"}', '● web_fetch https://example.org'],
    ['todo_write', '{"todos":[]}', '● todo_write {"todos":[]}'],
    ['bash', '{"command":5}', '● bash {"command":5}'],
    ['bash', '{"command":"a\\n  b"}', '● bash a b'],
    ['bash', '{"command":"unfinished', '● bash {"command":"unfinished'],
    ['bash', '"text"', '● bash "text"'],
    ['bash', 'null', '● bash null'],
    ['bash', '', '● bash'],
    ['e\u001b[2Jvil\r', '{"command":"\\u001b]52;c;x\\u0007\\u009b2Jhi"}', '● evil hi'],
    ['bash', '{"command":"  ls  "}', '● bash ls'],
    ['bash', JSON.stringify({ command: 'x'.repeat(100) }), `● bash ${'x'.repeat(100)}`],
    ['bash', JSON.stringify({ command: 'x'.repeat(200) }), `● bash ${'x'.repeat(99)}…`],
  ])('of %s with %s is %j', (name, args, line) => {
    expect(renderCall(call(name, args))).toBe(line)
  })
})

describe('the line of a result', () => {
  it.each([
    ['', false, '  └ (nothing)'],
    ['one', false, '  └ one'],
    ['\n\none\ntwo\n\n', false, '  └ one (+1 line)'],
    ['  \n one \n\t\ntwo', false, '  └ one (+1 line)'],
    ['one\ntwo\nthree', true, '  ✗ one (+2 lines)'],
    ['\u001b[31mred\u001b[0m\r\nnext', false, '  └ red (+1 line)'],
  ])('of %j (error: %j) is %j', (text, isError, line) => {
    expect(renderResult(result(text, isError))).toBe(line)
  })
})

describe('progress', () => {
  const event = (type: string, data: unknown) => ({ type, seq: 7, time: 0, data }) as never
  const attempt = { turn: 1, step: 1, attempt: 2, error: { name: 'LlmError', code: 'SERVER', message: 'busy\u001b[2J' }, retryInMs: 1500 }
  it.each([
    ['tool/call', call('read', '{}'), [undefined, '● read {}', '● read {}']],
    ['tool/result', result('fine'), [undefined, undefined, '  └ fine']],
    ['tool/result', result('bad', true), [undefined, '  ✗ bad', '  ✗ bad']],
    ['llm/attempt', attempt, [undefined, '! request attempt 2 failed: busy [SERVER]; trying again in 1.5 s; what was streamed so far does not count', '! request attempt 2 failed: busy [SERVER]; trying again in 1.5 s; what was streamed so far does not count']],
    ['llm/attempt', { ...attempt, retryInMs: undefined }, [undefined, '! request attempt 2 failed: busy [SERVER]; giving up', '! request attempt 2 failed: busy [SERVER]; giving up']],
    ['turn/start', {}, [undefined, undefined, '  · 7 turn/start']],
    ['assistant/chunk', {}, [undefined, undefined, undefined]],
  ])('of %s is told quietly, normally and verbosely', (type, data, lines) => {
    expect((['quiet', 'normal', 'verbose'] as const).map(verbosity => renderProgress(event(type, data), verbosity))).toEqual(lines)
  })
})
