/** Finds the commands that may lose work for good, break the machine or act with other rights. */
import type { ShellWord, SimpleCommand } from '@deepseek-ai/dsh-shell-syntax'

import { gitLoss } from './git-losses.ts'
import { hasLetter, hasLong, operandWords } from './verdicts.ts'

const ALWAYS: ReadonlyMap<string, string> = new Map([
  ...names('rm rmdir unlink shred srm wipefs truncate', 'deletes or empties files'),
  ...names('fdisk sfdisk cfdisk gdisk sgdisk parted blkdiscard mkswap', 'changes disks'),
  ...names('shutdown reboot halt poweroff', 'stops the machine'),
  ...names('userdel groupdel deluser delgroup', 'deletes accounts'),
  ...names('sudo doas su pkexec runuser', "acts with more than the user's own rights"),
  ...names('dropdb dropuser', 'deletes a database or its user'),
])

type LossRule = (args: readonly ShellWord[]) => boolean

const SOMETIMES: ReadonlyMap<string, readonly [LossRule, string]> = new Map<string, readonly [LossRule, string]>([
  ['dd', [(args) => args.some((word) => word.prefix.startsWith('of=') && word.text !== 'of=/dev/null'), 'overwrites a file or device']],
  ['chmod', [isRecursive, 'changes the rights of a whole tree']],
  ['chown', [isRecursive, 'changes the owner of a whole tree']],
  ['chgrp', [isRecursive, 'changes the group of a whole tree']],
  ['crontab', [(args) => hasLetter(args, 'r'), 'deletes all scheduled commands']],
  ['iptables', [(args) => hasLetter(args, 'FX') || hasLong(args, 'flush'), 'deletes firewall rules']],
  ['ip6tables', [(args) => hasLetter(args, 'FX') || hasLong(args, 'flush'), 'deletes firewall rules']],
  ['nft', [(args) => startsWith(args, /^(?:flush|delete)$/), 'deletes firewall rules']],
  ['rsync', [(args) => hasLong(args, 'delete', 5) || hasLong(args, 'remove-source-files', 5), 'deletes files of one side']],
  ['tar', [(args) => hasLong(args, 'remove-files', 5), 'deletes the files that it packs']],
  ['docker', [containerLoss, 'deletes containers, images or volumes']],
  ['podman', [containerLoss, 'deletes containers, images or volumes']],
  ['kubectl', [(args) => startsWith(args, /^(?:delete|drain)$/), 'deletes parts of a cluster']],
  ['helm', [(args) => startsWith(args, /^(?:uninstall|delete)$/), 'deletes a release']],
  ['terraform', [(args) => startsWith(args, /^destroy$/) || args.some((word) => word.text === '-destroy'), 'deletes infrastructure']],
  ['npm', [(args) => startsWith(args, /^unpublish$/), 'takes back a published package']],
  ['gh', [(args) => /^(?:repo|release|issue|run|secret|gist) delete$/.test(operandWords(args).slice(0, 2).map((word) => word.text).join(' ')), 'deletes something on the server']],
  ['dsh', [(args) => startsWith(args, /^(?:trust|auth)$/), 'lets a project run what it brings, or changes the keys']],
  ['git', [(args) => gitLoss(args) !== undefined, '']],
  ['mv', [(args) => operandWords(args).at(-1)?.text === '/dev/null', 'throws files away']],
])

/**
 * Why the command may lose something for good; undefined when it does not. Programs are known by
 * their last name in any directory and case, so that `/opt/bin/rm` and, on disks that ignore case,
 * `RM` are found too.
 */
export function lossOf(command: SimpleCommand): string | undefined {
  const [first, ...args] = command.words
  if (first === undefined || !first.known) return undefined
  const name = first.text.slice(first.text.lastIndexOf('/') + 1).toLowerCase().replace(/\.exe$/, '')
  if (/^(?:mkfs|newfs)(?:\.|_|$)/.test(name)) return 'makes a disk empty'
  if (name === 'git') return gitLoss(args)
  const rule = SOMETIMES.get(name)
  return ALWAYS.get(name) ?? (rule?.[0](args) ? rule[1] : undefined)
}

function names(list: string, why: string): (readonly [string, string])[] {
  return list.split(' ').map((name) => [name, why] as const)
}

function isRecursive(args: readonly ShellWord[]): boolean {
  return hasLetter(args, 'R') || hasLong(args, 'recursive')
}

function startsWith(args: readonly ShellWord[], verb: RegExp): boolean {
  return verb.test(operandWords(args)[0]?.text ?? '')
}

function containerLoss(args: readonly ShellWord[]): boolean {
  const [first = '', second = ''] = operandWords(args).map((word) => word.text)
  if (/^(?:rm|rmi)$/.test(first)) return true
  if (first === 'compose') return second === 'down' && (hasLetter(args, 'v') || hasLong(args, 'volumes'))
  return /^(?:container|image|volume|network|system|builder|buildx)$/.test(first) && /^(?:rm|remove|prune)$/.test(second)
}
