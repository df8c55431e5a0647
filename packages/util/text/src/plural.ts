/** Counts things in English: `plural(1, 'file')` is "1 file", `plural(2, 'file')` is "2 files". */

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`
}
