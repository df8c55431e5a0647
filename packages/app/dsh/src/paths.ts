/** Which of the user's files dsh reads and writes by itself. Pure: nothing is created here. */

import { join } from 'node:path'
import { userDirectories, type UserDirectories } from '@deepseek-ai/dsh-process-env'

export interface UserPaths extends Pick<UserDirectories, 'config' | 'data'> {
  /** The record of which projects are trusted. */
  trust: string
}

export function userPaths(env: NodeJS.ProcessEnv): UserPaths {
  const { config, data } = userDirectories(env)
  return { config, data, trust: join(data, 'trust.json') }
}
