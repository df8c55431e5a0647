import type { CommandCall } from '@deepseek-ai/dsh-commands'
import { expect, it } from 'vitest'
import { chooseProvider } from '../src/choose-provider.ts'

const [one, other] = ['one', 'other'].map(id => ({ id, name: id, variable: `${id.toUpperCase()}_API_KEY`, model: `${id}-1` }))
if (!one || !other) throw new Error('there are two')

const call = (door: CommandCall['door']): CommandCall => ({ door, signal: new AbortController().signal }) as unknown as CommandCall

it('takes the one that is named, and without a name the one that is chosen, or the first', async () => {
  expect(await chooseProvider('/login', ' OTHER ', call({}), [one, other])).toBe(other)
  expect(await chooseProvider('/login', '', call({ choose: async (_title, choices) => choices[1]?.value }), [one, other])).toBe(other)
  expect(await chooseProvider('/login', '', call({ choose: async () => undefined }), [one, other])).toBeUndefined()
  expect(await chooseProvider('/login', '', call({}), [one, other])).toBe(one)
})
