import { describe, expect, it } from 'vitest'
import { namesTool, parseRule } from '../src/index.ts'

describe('a rule', () => {
  it.each([
    ['bash', { tool: 'bash' }],
    ['mcp__git__*', { tool: 'mcp__git__*' }],
    ['*', { tool: '*' }],
    ['bash(git diff *)', { tool: 'bash', pattern: 'git diff *' }],
    ['bash(echo "(a)")', { tool: 'bash', pattern: 'echo "(a)"' }],
    ['read(./a (copy).txt)', { tool: 'read', pattern: './a (copy).txt' }],
    ['web_fetch(domain:*.example.org)', { tool: 'web_fetch', pattern: 'domain:*.example.org' }],
  ])('%s is read', (text, rule) => {
    expect(parseRule(text)).toEqual(rule)
  })

  it.each([
    ['', /is no rule; write tool or tool\(pattern\)/],
    ['git status', /is no rule; write tool/],
    ['bash(git', /is no rule; write tool/],
    ['bash()', /the pattern is empty; write bash alone/],
    ['bash( )', /the pattern is empty/],
    ['bash(echo "a)', /a quotation mark is not closed/],
    ['Bash(git diff:*)', /Bash takes no pattern; did you mean bash\(git diff:\*\)\?/],
    ['todo_write(x)', /todo_write takes no pattern; write todo_write alone/],
    ['mcp__git__*(x)', /takes no pattern/],
    ['web_fetch(example.org)', /write web_fetch\(domain:example\.org\)/],
    ['web_fetch(domain:http://x)', /write web_fetch/],
    ['web_fetch(domain:*)', /write web_fetch/],
    ['read(!secret)', /a pattern cannot exclude/],
    ['read(a\nb)', /a pattern is one line/],
  ])('%j is none, and it is said why', (text, fault) => {
    expect(parseRule(text)).toEqual({ fault: expect.stringMatching(fault) as string })
  })

  it('names tools by their whole name, with * for anything', () => {
    const names = (rule: string) => ['bash', 'bash_output', 'mcp__git__log', 'mcp__gitx__log'].filter(tool => namesTool(rule, tool))

    expect(names('bash')).toEqual(['bash'])
    expect(names('bash*')).toEqual(['bash', 'bash_output'])
    expect(names('mcp__git__*')).toEqual(['mcp__git__log'])
    expect(names('*')).toHaveLength(4)
    expect(names('BASH')).toEqual([])
  })
})
