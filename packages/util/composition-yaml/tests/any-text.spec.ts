import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CompositionError, parseYaml, readPlan } from '../src/index.ts'
import { folder } from './folder.ts'

const TOKENS = ['- ', 'id: ', 'name: ', 'config: ', 'disabled: ', 'required: ', 'a', 'b', '"', "'", '{', '}', '[', ']', ': ', ', ', '\n', '\n  ', '\n    ', '&x ', '*x', '!env ', '!!js ', '!replace ', '!!str ', '# c', '|', '>', '---\n', '\t', '1', 'true', '~', '${A}', '<<: ', '? ', '%', '\u2028', '\ufeff']

const text = fc.array(fc.constantFrom(...TOKENS), { maxLength: 40 }).map(parts => parts.join(''))

it('turns any text into a plan or into problems that have a place in it', async () => {
  const path = await folder({})
  const file = path('cordis.yml')
  await fc.assert(fc.asyncProperty(text, async source => {
    const { root, problems } = await parseYaml(source, file)
    const precompiled = { [file]: root === undefined ? {} : { root } }
    const outcome = await readPlan({ composition: file, env: {}, precompiled }).catch(error => error)
    const found = outcome instanceof CompositionError ? outcome.problems : []
    if (outcome instanceof Error && !(outcome instanceof CompositionError)) throw outcome
    const lines = source.split('\n').length
    for (const { position, message } of [...problems, ...found]) {
      expect(message).not.toContain('\n')
      expect(position.file).toBe(file)
      expect(position.line).toBeGreaterThanOrEqual(1)
      expect(position.line).toBeLessThanOrEqual(lines)
      expect(position.column).toBeGreaterThanOrEqual(1)
    }
  }), { numRuns: 400 })
})
