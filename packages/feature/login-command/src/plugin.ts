/** `/login` and `/logout`: a key is given and taken away within a conversation, as `dsh auth` does it outside. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type { Command } from '@deepseek-ai/dsh-commands'
import { credentialsFile, KEY_PROVIDERS } from '@deepseek-ai/dsh-credentials'
import type {} from '@deepseek-ai/dsh-front-door'
import type {} from '@deepseek-ai/dsh-llm'
import { chooseProvider } from './choose-provider.ts'
import { KeyRing, type Taken } from './key-ring.ts'
import { modelAfter } from './model-after.ts'

export const name = 'login-command'
export const inject = ['commands', 'llm']

export interface LoginConfig {
  /** Where keys are stored; default: where `dsh auth` stores them. */
  credentials?: string
  /** How long the provider may take to say whether a key is good, in milliseconds; 0: it is not asked. */
  checkMs: number
}

export const Config: z<LoginConfig> = z.object({
  credentials: z.string(),
  checkMs: z.natural().default(5000),
}) as z<LoginConfig>

const complete: Command['complete'] = async typed => KEY_PROVIDERS.map(({ id, name: label }) => ({ value: id, label: id, description: label })).filter(({ value }) => value.startsWith(typed))

export function apply(ctx: Context, { credentials = credentialsFile(process.env), checkMs }: LoginConfig): void {
  const keys = new KeyRing({ file: credentials, env: process.env, storedKeys: ctx.get('frontDoor')?.request.storedKeys ?? new Map(), checkMs, offered: (model, signal) => (ctx.llm.serves(model) ? ctx.llm.offered(model, signal) : Promise.resolve(undefined)) })
  ctx.commands.register({
    name: 'login',
    needs: 'askSecret',
    otherwise: 'dsh auth in a terminal does the same',
    isPrivate: true,
    description: 'give the key of a model provider; it is not shown, and stored for you alone',
    argumentHint: '[PROVIDER]',
    complete,
    async run(args, call) {
      const provider = await chooseProvider('/login', args, call)
      const key = provider && (await call.door.askSecret?.(`${provider.name} API key`, call.signal))?.trim()
      if (!provider || !key) return { kind: 'show', markdown: 'No key was given, and nothing was changed.' }
      const { notes } = await keys.give(provider, key, call.signal)
      const model = modelAfter(ctx.get('frontDoor')?.request.defaultModels, call.agent, true)
      return { kind: 'show', markdown: [`The key is stored in \`${keys.file}\`, which only you can read. ${model}`, ...notes].join('\n\n') }
    },
  })
  ctx.commands.register({
    name: 'logout',
    isPrivate: true,
    description: 'forget the key of a model provider (dsh auth remove does the same)',
    argumentHint: '[PROVIDER]',
    complete,
    async run(args, call) {
      const provider = await chooseProvider('/logout', args, call)
      if (!provider) return { kind: 'show', markdown: 'Nothing was changed.' }
      const taken = await keys.take(provider)
      const rest = taken.isLeft ? `${provider.variable} is set in the environment, and goes on being used.` : modelAfter(ctx.get('frontDoor')?.request.defaultModels, call.agent, false)
      return { kind: 'show', markdown: `${describeTaken(taken, keys.file)} ${rest}` }
    },
  })
}

function describeTaken({ file, wasInUse }: Taken, path: string): string {
  if (file === 'removed') return `The key is gone from \`${path}\`.`
  if (file === 'another') return `The key is forgotten here. \`${path}\` holds another one by now, which is left there; **/logout** once more removes it.`
  return wasInUse ? `The key is forgotten here; it was gone from \`${path}\` already.` : 'No key is stored.'
}
