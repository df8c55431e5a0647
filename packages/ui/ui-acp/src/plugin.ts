/** The front door for editors: an agent of the Agent Client Protocol on stdin and stdout. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type {} from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-approval'
import { serveRun } from '@deepseek-ai/dsh-front-door'
import type {} from '@deepseek-ai/dsh-llm'
import type {} from '@deepseek-ai/dsh-tools'
import { serve } from './serve.ts'

export const name = 'ui-acp'
export const inject = ['agents', 'approval', 'frontDoor', 'llm', 'sessions', 'tools']

export interface UiAcpConfig {
  /** What the agent calls its version. */
  version: string
  /** The file with stored keys. Absent: none are stored. */
  credentials?: string
  /** Longer messages of the client are refused. */
  maxMessageBytes: number
  /** How long a file or a new terminal of the editor is waited for. */
  clientTimeoutMs: number
  /** Bytes of a terminal's output that are kept. */
  terminalOutputBytes: number
  /** Sessions on one page of a list. */
  pageSize: number
  /** How long providers may take to list their models; 0: they are not asked. */
  discoveryTimeoutMs: number
  /** How long sessions have to come to an end when the client has gone. */
  closeTimeoutMs: number
}

export const Config: z<UiAcpConfig> = z.object({
  version: z.string().default('0'),
  credentials: z.string(),
  maxMessageBytes: z.natural().min(1024).default(64 * 1024 * 1024).description('Longer messages of the client are refused.'),
  clientTimeoutMs: z.natural().default(10_000).description('How long a file or a new terminal of the editor is waited for, in milliseconds.'),
  terminalOutputBytes: z.natural().default(64_000).description('Bytes of a terminal\'s output that are kept.'),
  pageSize: z.natural().min(1).default(50).description('Sessions on one page of a list.'),
  discoveryTimeoutMs: z.natural().default(10_000).description('How long providers may take to list their models, in milliseconds; 0: they are not asked.'),
  closeTimeoutMs: z.natural().default(1_200).description('How long sessions have to come to an end when the client has gone, in milliseconds.'),
}) as z<UiAcpConfig>

export function apply(ctx: Context, config: UiAcpConfig): void {
  // Only this front door pays for loading it.
  const loading = import('@agentclientprotocol/sdk')
  void serveRun(ctx, async () => await serve(ctx, await loading, config))
}
