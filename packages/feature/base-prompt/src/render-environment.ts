/** What the model is told about the place it works in. Pure. */

export interface Environment {
  cwd: string
  platform: string
  /** Epoch milliseconds of the session's start. */
  createdAt: number
}

/** Stable for a session: the date is the day on which it began, in UTC. */
export function renderEnvironment({ cwd, platform, createdAt }: Environment): string {
  return [`Working directory: ${cwd}`, `Platform: ${platform}`, `Date when this session began: ${new Date(createdAt).toISOString().slice(0, 10)}`].join('\n')
}
