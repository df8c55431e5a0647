/** Says in one line what a value is that was thrown or that nobody expected. Never throws itself. */

export function describeValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return JSON.stringify(value) ?? Object.prototype.toString.call(value)
  } catch (error) {
    // A circle, a bigint inside, or code of the value that throws: its kind is all there is to say.
    return `${Object.prototype.toString.call(value)} (${error instanceof TypeError ? 'not JSON' : 'its toJSON failed'})`
  }
}
