/** The completion of fish. Pure. */

import { completedOptions, KNOWN_MODELS, listSessions, typedCommands, valueFlags, wordPlaces } from './completion-parts.ts'
import type { CompletedOption } from './completion-parts.ts'
import type { ValueKind } from './types.ts'

/** To be put into `~/.config/fish/completions/dsh.fish`, or to be sourced. */
export function fishCompletion(): string {
  return `# fish completion for dsh; to have it in every shell: dsh completion fish > ~/.config/fish/completions/dsh.fish
function __dsh_at --description 'The command that the line is about, and its verb'
    set -l words (commandline -opc)
    set -e words[1]
    set -l found
    set -l skip 0
    for word in $words
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${valueFlags.join(' ')}
                set skip 1
            case -p --print --
                set -q found[1]; or set found run
            case '-*'
            case '*'
                set -a found $word
        end
    end
    if not set -q found[1]
        echo none
    else if contains -- $found[1] ${typedCommands.map(({ name }) => name).join(' ')}
        echo "$found[1..2]"
    else
        echo run
    end
end
function __dsh_is --description 'Whether the line is about one of these'
    set -l at (__dsh_at)
    for place in $argv
        if test "$at" = "$place"; or string match -q -- "$place *" "$at"
            return 0
        end
    end
    return 1
end
function __dsh_stands --description 'Whether the line is at this place, with nothing behind it'
    test (__dsh_at) = "$argv"
end
function __dsh_sessions --description 'The ids of all sessions'
    ${listSessions('command dsh')}
end
${typedCommands.map(({ name, help }) => `complete -c dsh -n '__dsh_is none' -a ${name} -d ${quoted(help)}`).join('\n')}
${wordLines().join('\n')}
${completedOptions.map(optionLine).join('\n')}
`
}

function wordLines(): string[] {
  return wordPlaces.flatMap(({ place, values, completes }) => {
    const verbs = typedCommands.find(({ name }) => name === place)?.verbs
    if (verbs) return verbs.map(({ name, help }) => `complete -c dsh -f -n '__dsh_stands ${place}' -a ${name} -d ${quoted(help)}`)
    const condition = `complete -c dsh -f -n '__dsh_is "${place}"'`
    return values || completes ? [`${condition} ${offer(values, completes)}`] : []
  })
}

function optionLine({ name, short, help, type, of, values, completes }: CompletedOption): string {
  const at = of === undefined ? '' : ` -n '__dsh_is ${[...of, ...(of.includes('run') ? ['none'] : [])].map(place => `"${place}"`).join(' ')}'`
  const takes = type === 'boolean' ? '' : completes === 'file' ? ' -r -F' : ` -x ${offer(values, completes)}`.trimEnd()
  return `complete -c dsh${at}${short === undefined ? '' : ` -s ${short}`} -l ${name} -d ${quoted(help)}${takes}`
}

function offer(values: readonly string[] | undefined, completes: ValueKind | undefined): string {
  if (values) return `-a '${values.join(' ')}'`
  switch (completes) {
    case 'directory':
      return "-a '(__fish_complete_directories)'"
    case 'session':
      return "-a '(__dsh_sessions)'"
    case 'model':
      return `-a '${KNOWN_MODELS.join(' ')}'`
    default:
      return ''
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}
