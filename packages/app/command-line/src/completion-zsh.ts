/** The completion of zsh. Pure. */

import { completedOptions, KNOWN_MODELS, listSessions, places, typedCommands, valueFlags, wordPlaces } from './completion-parts.ts'
import type { CommandSpec, ValueKind } from './types.ts'

/** To be put into a folder of `fpath` as `_dsh`, or to be sourced. */
export function zshCompletion(): string {
  return `#compdef dsh
# zsh completion for dsh; to have it in every shell: dsh completion zsh > "\${fpath[1]}/_dsh"
_dsh_sessions() { compadd -- \${(f)"$(${listSessions('$words[1]')})"} }
_dsh() {
  local cur=$words[CURRENT] prev=$words[CURRENT-1] command= verb= value= i
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      --) _files; return ;;
      -p|--print) command=\${command:-run} ;;
      ${valueFlags.join('|')}) i=$((i + 1)) ;;
      -*) ;;
      *)
        if [[ -n $command ]]; then verb=\${verb:-$words[i]}
        else
          case $words[i] in
            ${typedCommands.map(({ name }) => name).join('|')}) command=$words[i] ;;
            *) command=run ;;
          esac
        fi ;;
    esac
  done
  if [[ $cur == --*=* ]]; then value=\${cur%%=*}; compset -P '*='
  elif [[ $prev == -* ]]; then value=$prev
  fi
  case $value in
${completedOptions.filter(({ type }) => type === 'string').map(({ flags, values, completes }) => `    ${flags.join('|')}) ${offer(values, completes)}; return ;;`).join('\n')}
  esac
  local -a offered
  if [[ $cur == -* ]]; then
    case "\${command:-run} $verb" in
${optionCases()}
    esac
    _describe -o option offered
    return
  fi
  if [[ -z $command ]]; then
    offered=(${typedCommands.map(({ name, help }) => described(name, help)).join(' ')})
    _describe command offered
    _files
    return
  fi
  case "$command $verb" in
${wordCases()}
    *) _files ;;
  esac
}
if [[ $funcstack[1] == _dsh ]]; then _dsh "$@"; else compdef _dsh dsh; fi
`
}

function optionCases(): string {
  const ordered = [...places].sort((one, other) => other.place.split(' ').length - one.place.split(' ').length)
  return ordered.map(({ place, options }) => {
    const offered = options.flatMap(({ flags, help }) => flags.map(flag => described(flag, help)))
    return `      "${place.includes(' ') ? `${place}"` : `${place} "*`}) offered=(${offered.join(' ')}) ;;`
  }).join('\n')
}

function wordCases(): string {
  return wordPlaces.filter(({ values, completes }) => values ?? completes).map(({ place, values, completes }) => {
    const verbs = typedCommands.find(({ name }) => name === place)?.verbs
    return `    "${place.includes(' ') ? place : `${place} `}") ${verbs ? offerVerbs(verbs) : offer(values, completes)} ;;`
  }).join('\n')
}

function offerVerbs(verbs: NonNullable<CommandSpec['verbs']>): string {
  return `offered=(${verbs.map(({ name, help }) => described(name, help)).join(' ')}); _describe command offered`
}

/** `'name:what it does'`, as `_describe` reads it. */
function described(name: string, help: string): string {
  return `'${name}:${help.replaceAll('\\', '\\\\').replaceAll(':', '\\:').replaceAll("'", String.raw`'\''`)}'`
}

function offer(values: readonly string[] | undefined, completes: ValueKind | undefined): string {
  if (values) return `compadd -- ${values.join(' ')}`
  switch (completes) {
    case 'file':
      return '_files'
    case 'directory':
      return '_files -/'
    case 'session':
      return '_dsh_sessions'
    case 'model':
      return `compadd -- ${KNOWN_MODELS.join(' ')}`
    case undefined:
      return '_message value'
  }
}
