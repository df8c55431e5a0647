/**
 * From a request to what the stand-in does next. Pure: there is no state besides
 * the messages, so the plan is replayed from the first command each time, and
 * what its calls gave is taken from the rounds that the conversation holds.
 */

import { isDeepStrictEqual } from 'node:util'
import type { GenerateOptions } from '@deepseek-ai/dsh-llm'
import { answerWithoutTools } from './answer-without-tools.ts'
import { carryOut } from './carry-out.ts'
import { findSegment, type Input, type Segment } from './conversation.ts'
import { describeCommand } from './describe-command.ts'
import { isDirect, parseCommands, type Command } from '@deepseek-ai/dsh-plain-commands'
import { shorten } from './fence.ts'
import { NOTICE } from './phrases.ts'
import { beyondRules } from './progress.ts'
import { reasonOf } from './read-result.ts'
import type { Outcome, PlannedCall } from './types.ts'

export type Action = { kind: 'call'; calls: PlannedCall[] } | { kind: 'answer'; text: string }

/** `maxSteps` counts the answers of one turn, the last one included. */
export function nextAction(request: Pick<GenerateOptions, 'messages' | 'system' | 'tools'>, maxSteps: number): Action {
  const special = answerWithoutTools(request)
  if (special !== undefined) return { kind: 'answer', text: special }
  const segment = findSegment(request.messages)
  const tools = new Map((request.tools ?? []).map(tool => [tool.name, tool]))
  const { commands, stopped } = commandsOf(segment.inputs)
  const rounds = [...segment.rounds]
  const reports: string[] = []
  for (const [index, command] of commands.entries()) {
    const taken: Outcome[][] = []
    for (;;) {
      const progress = carryOut(command, taken, tools)
      if (progress.kind === 'done') {
        reports.push(progress.report)
        if (!progress.ok) return conclude(segment, [...reports, ...leftOut('because the step before it did not succeed', commands.slice(index + 1))])
        break
      }
      const round = takeRound(rounds, progress.calls)
      if (round) taken.push(round)
      else if (stopped) return conclude(segment, [...reports, ...leftOut('because you told me to stop', commands.slice(index))])
      else if (segment.rounds.length >= maxSteps - 1) return conclude(segment, [...reports, ...leftOut(`because I take at most ${maxSteps} steps for one message`, commands.slice(index))])
      else return { kind: 'call', calls: progress.calls }
    }
  }
  return conclude(segment, reports)
}

const STOP = /^(?:please\s+)?(?:stop|cancel|abort|halt|never\s?mind|forget\s+it)(?:\s+(?:it|that|this|now|please|everything|here))*[.!]*$/i

/** Prompts first; steering adds direct commands, and can stop what has not begun. */
function commandsOf(inputs: readonly Input[]): { commands: Command[]; stopped: boolean } {
  const commands: Command[] = []
  let stopped = false
  for (const { text, steering, plugin } of inputs) {
    if (plugin !== undefined) commands.push({ kind: 'beyond', request: text })
    else if (steering && STOP.test(text.trim())) stopped = true
    else commands.push(...parseCommands(text).map(command => (steering ? asRemark(command) : command)))
  }
  return { commands: oneSurvey(commands), stopped }
}

function asRemark(command: Command): Command {
  return command.kind === 'survey' ? { kind: 'beyond', request: command.request } : command
}

/** Several messages may wait for one answer; the folder is looked at once for all of them. */
function oneSurvey(commands: readonly Command[]): Command[] {
  const surveys = commands.filter(command => command.kind === 'survey')
  const [first] = surveys
  if (!first || surveys.length === 1) return [...commands]
  const merged: Command = { kind: 'survey', request: surveys.map(({ request }) => request).join(' ') }
  return commands.flatMap((command): Command[] => (command === first ? [merged] : command.kind === 'survey' ? [] : [command]))
}

/** Takes the next round that made exactly these calls; rounds of another model before it are passed over. */
function takeRound(rounds: Outcome[][], calls: readonly PlannedCall[]): Outcome[] | undefined {
  const index = rounds.findIndex(round => round.length === calls.length && round.every((outcome, at) => outcome.name === calls[at]?.name && isDeepStrictEqual(outcome.arguments, calls[at]?.arguments)))
  return index < 0 ? undefined : rounds.splice(0, index + 1).at(-1)
}

function leftOut(why: string, commands: readonly Command[]): string[] {
  const waiting = commands.filter(isDirect)
  return [
    ...(waiting.length > 0 ? [`Not done, ${why}: ${waiting.map(describeCommand).join('; ')}.`] : []),
    ...commands.flatMap(command => (command.kind === 'beyond' || command.kind === 'survey' ? [beyondRules(shorten(command.request, 160))] : [])),
  ]
}

function conclude({ inputs, rounds, images, isFirstAnswer }: Segment, reports: readonly string[]): Action {
  const blind = images > 0 ? [`I cannot see ${images === 1 ? 'the picture' : 'the pictures'} in your message.`] : []
  const parts = [...(isFirstAnswer ? [NOTICE] : []), ...blind, ...reports]
  if (reports.length === 0) parts.push(inputs.length === 0 ? withoutRequest(rounds) : images > 0 ? 'There were no words that I could follow.' : 'There is nothing in your message that I could do.')
  return { kind: 'answer', text: parts.join('\n\n') }
}

/** The request was compacted away, or there never was one. */
function withoutRequest(rounds: readonly Outcome[][]): string {
  const last = rounds.at(-1)?.at(-1)
  if (!last) return 'I see no request to answer. Say “help” for what I can do.'
  return `I no longer see what you asked. The last call, \`${last.name}\`, ${last.isError ? `failed: ${reasonOf(last)}` : `gave: ${shorten(last.text, 400)}`}`
}
