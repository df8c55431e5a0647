import { expect, it } from 'vitest'
import { Intake } from '../src/intake.ts'

it('lets one in after the other, in the order in which they came', async () => {
  const intake = new Intake()
  const order: string[] = []
  const work = async (name: string, ms: number): Promise<void> => {
    const leave = await intake.enter()
    order.push(`${name} in`)
    await new Promise(resolve => setTimeout(resolve, ms))
    order.push(`${name} out`)
    leave()
  }
  const all = [work('a', 10), work('b', 0), work('c', 5)]

  expect(intake.isBusy).toBe(true)
  await Promise.all(all)

  expect(order).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
  expect(intake.isBusy).toBe(false)
})
