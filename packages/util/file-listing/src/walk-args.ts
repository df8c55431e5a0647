/** Which files a walk visits, as arguments of ripgrep. Pure. */

export interface Walk {
  hidden?: boolean | undefined
  no_ignore?: boolean | undefined
}

/**
 * git's own rules and nothing else: `.gitignore` inside a repository,
 * `.git/info/exclude`, the user's excludes file. `.git` itself is never
 * visited, and links are not followed, so a loop of links has no end to reach.
 */
export function walkArgs({ hidden, no_ignore: noIgnore }: Walk): string[] {
  return ['--no-ignore-dot', '--no-follow', '--glob', '!.git', ...(hidden ? ['--hidden'] : []), ...(noIgnore ? ['--no-ignore'] : [])]
}
