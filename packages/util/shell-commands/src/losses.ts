/** Finds the commands that may lose work for good, break the machine or act with other rights. */
import type { ShellWord, SimpleCommand } from '@deepseek-ai/dsh-shell-syntax'

import { gitLoss } from './git-losses.ts'
import { hasLetter, mayBeLong as hasLong, operandWords } from './verdicts.ts'

const ALWAYS: ReadonlyMap<string, string> = new Map([
  ...names('rm rmdir unlink shred srm wipefs truncate', 'deletes or empties files'),
  ...names('fdisk sfdisk cfdisk gdisk sgdisk parted blkdiscard mkswap mke2fs lvremove vgremove pvremove', 'changes disks'),
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
  ['nft', [(args) => hasVerb(args, /^(?:flush|delete)$/), 'deletes firewall rules']],
  ['rsync', [(args) => hasLong(args, 'delete', 'del', 'remove-source-files', 'remove-sent-files'), 'deletes files of one side']],
  ['tar', [(args) => hasLong(args, 'remove-files'), 'deletes the files that it packs']],
  ['docker', [containerLoss, 'deletes containers, images or volumes']],
  ['podman', [containerLoss, 'deletes containers, images or volumes']],
  ['docker-compose', [containerLoss, 'deletes containers, images or volumes']],
  ['podman-compose', [containerLoss, 'deletes containers, images or volumes']],
  ['zip', [(args) => hasLetter(args, 'm') || hasLong(args, 'move'), 'deletes the files that it packs']],
  ...'aws gcloud az gsutil doctl rclone pulumi vagrant multipass virsh fly flyctl heroku eksctl'.split(' ').map((name) => [name, [remoteLoss, 'deletes something that is not on this machine alone']] as const),
  ...'svn hg bzr'.split(' ').map((name) => [name, [(args: readonly ShellWord[]): boolean => hasVerb(args, /^(?:revert|purge|strip|clean)$/), 'throws away changes']] as const),
  ['cryptsetup', [(args) => hasVerb(args, /^(?:erase|luksErase|luksFormat|reencrypt)$/), 'changes disks']],
  ['btrfs', [(args) => hasVerb(args, /^delete$/), 'deletes file systems']],
  ['mdadm', [(args) => hasLong(args, 'zero-superblock'), 'changes disks']],
  ['init', [(args) => hasVerb(args, /^[06]$/), 'stops the machine']],
  ['telinit', [(args) => hasVerb(args, /^[06]$/), 'stops the machine']],
  ['loginctl', [(args) => hasVerb(args, /^(?:poweroff|reboot|halt)$/), 'stops the machine']],
  ['redis-cli', [(args) => args.some((word) => /^flush(?:all|db)$/i.test(word.text)), 'empties a database']],
  ['7z', [(args) => args.some((word) => word.prefix.startsWith('-sdel')), 'deletes the files that it packs']],
  ['zfs', [(args) => hasVerb(args, /^destroy$/), 'deletes file systems']],
  ['zpool', [(args) => hasVerb(args, /^destroy$/), 'deletes file systems']],
  ['systemctl', [(args) => hasVerb(args, /^(?:poweroff|reboot|halt|kexec)$/), 'stops the machine']],
  ['kubectl', [(args) => hasVerb(args, /^(?:delete|drain)$/), 'deletes parts of a cluster']],
  ['helm', [(args) => hasVerb(args, /^(?:uninstall|delete)$/), 'deletes a release']],
  ['terraform', [(args) => hasVerb(args, /^destroy$/) || args.some((word) => word.text === '-destroy'), 'deletes infrastructure']],
  ['npm', [(args) => hasVerb(args, /^unpublish$/), 'takes back a published package']],
  ['gh', [(args) => hasVerb(args, /^(?:repo|release|issue|run|secret|gist|label|variable|cache)$/) && hasVerb(args, /^delete$/), 'deletes something on the server']],
  ['dsh', [(args) => hasVerb(args, /^(?:trust|auth)$/), 'lets a project run what it brings, or changes the keys']],
  ['git', [(args) => gitLoss(args) !== undefined, '']],
  ['mv', [(args) => operandWords(args).at(-1)?.text === '/dev/null', 'throws files away']],
])

/**
 * Why the command may lose something for good; undefined when it does not. Programs are known by
 * their last name in any directory and case, so that `/opt/bin/rm` and, on disks that ignore case,
 * `RM` are found too.
 */
export function lossOf(command: SimpleCommand): string | undefined {
  return ownLoss(command.words) ?? braceLoss(command.words)
}

/**
 * Why a command may lose something that stands among the arguments of another program: `npx rm x`,
 * `strace git reset --hard`. For programs of which it is not known what they do with their arguments.
 */
export function lossAmong(words: readonly ShellWord[]): string | undefined {
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at]
    if (!word?.known || word.text.startsWith('-') || OWN_VERBS.test(words.slice(0, at).map(({ text }) => text).join(' '))) continue
    const loss = at + 1 < words.length ? ownLoss(words.slice(at)) : undefined
    if (loss !== undefined) return `may have run what ${loss}`
  }
  return undefined
}

/** Package managers in which `rm` is a verb of their own. */
const OWN_VERBS = /^(?:npm|pnpm|yarn|bun|pip|uv|cargo|poetry|conda|brew|nvm|volta|git|gh|glab)$/

/** A loss that only braces hide: `git {reset,--hard}`. */
function braceLoss(words: readonly ShellWord[]): string | undefined {
  if (!words.some(({ known, source }) => !known && BRACES.test(source))) return undefined
  const expanded = words.flatMap((word) => {
    const [, before = '', inner, after = ''] = word.known ? [] : (BRACES.exec(word.source) ?? [])
    if (inner === undefined) return [word]
    const texts = inner.split(',').map((each) => before + each + after).filter((text) => text !== '')
    return texts.map((text): ShellWord => ({ text, known: true, source: word.source, prefix: text, splits: false, several: false }))
  })
  return ownLoss(expanded)
}

const BRACES = /^([\w./=:@%+-]*)\{([\w./=:@%+,-]*,[\w./=:@%+,-]*)\}([\w./=:@%+-]*)$/

function ownLoss([first, ...args]: readonly ShellWord[]): string | undefined {
  if (first === undefined || !first.known) return undefined
  const name = first.text.slice(first.text.lastIndexOf('/') + 1).toLowerCase().replace(/\.exe$/, '')
  if (/^(?:mkfs|newfs)(?:\.|_|$)/.test(name)) return 'makes a disk empty'
  if (name === 'git') return gitLoss(args)
  if (name.startsWith('git-')) return gitLoss([{ ...first, text: name.slice(4), prefix: name.slice(4) }, ...args])
  const rule = SOMETIMES.get(name)
  return ALWAYS.get(name) ?? (rule?.[0](args) ? rule[1] : undefined)
}

function names(list: string, why: string): (readonly [string, string])[] {
  return list.split(' ').map((name) => [name, why] as const)
}

function isRecursive(args: readonly ShellWord[]): boolean {
  return hasLetter(args, 'R') || hasLong(args, 'recursive')
}

/** Whether the verb is among the operands: what stands before it may be the value of an option. */
function hasVerb(args: readonly ShellWord[], verb: RegExp): boolean {
  return operandWords(args).some((word) => verb.test(word.text))
}

function remoteLoss(args: readonly ShellWord[]): boolean {
  return hasVerb(args, /^(?:delete|deletefile|destroy|purge|rm|rb|remove|terminate|undefine|sync)$|:destroy$|^(?:delete|terminate)-/)
}

function containerLoss(args: readonly ShellWord[]): boolean {
  if (hasVerb(args, /^(?:rm|rmi|prune)$/)) return true
  if (hasVerb(args, /^down$/)) return hasLetter(args, 'v') || hasLong(args, 'volumes')
  return hasVerb(args, /^(?:container|image|volume|network|builder|buildx)$/) && hasVerb(args, /^remove$/)
}
