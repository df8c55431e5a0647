/** Closes a switch over a closed union: a new member is a type error here, and a loud one at run time. */

import { describeValue } from './describe-value.ts'

export function assertNever(value: never, context = 'value'): never {
  throw new TypeError(`unexpected ${context}: ${describeValue(value)}`)
}
