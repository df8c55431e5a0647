/** Writes to a stream and waits until it is handed over, so that the process may end afterwards. */

/** A stream that has been closed by its reader swallows the text: that is its reader's wish. */
export function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (text === '') return Promise.resolve()
  return new Promise((resolve, reject) => {
    stream.write(text, error => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error)
      else resolve()
    })
  })
}
