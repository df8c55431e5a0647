/** Writes to a stream and waits until it is handed over, so that the process may end afterwards. */

/** Never rejects: a reader that has gone does not want the text, and any other failure the stream tells its owner. */
export function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (text === '') return Promise.resolve()
  return new Promise(resolve => {
    stream.write(text, () => resolve())
  })
}
