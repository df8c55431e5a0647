/** The completion of bash, from 3.2 on, without the help of other packages. Pure. */

import { completedOptions, KNOWN_MODELS, listSessions, places, typedCommands, valueFlags, wordPlaces } from './completion-parts.ts'
import type { ValueKind } from './types.ts'

/** Where nothing is offered, bash completes names of files. */
export function bashCompletion(): string {
  return `# bash completion for dsh; to have it in every shell: source <(dsh completion bash) in ~/.bashrc
_dsh_offer() { local IFS=$' \\n'; COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_dsh_nothing() { compopt +o default 2>/dev/null; }
_dsh_directories() { compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen -d -- "$cur")); }
_dsh_sessions() { _dsh_offer "$(${listSessions('"${COMP_WORDS[0]}"')})"; }
_dsh() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= verb= value= ended= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      --) ended=1; break ;;
      -p|--print) command=\${command:-run} ;;
      ${valueFlags.join('|')})
        [[ \${COMP_WORDS[i+1]} == = ]] && i=$((i + 1))
        i=$((i + 1)) ;;
      -*|=) ;;
      *)
        if [[ -n $command ]]; then verb=\${verb:-\${COMP_WORDS[i]}}
        else
          case \${COMP_WORDS[i]} in
            ${typedCommands.map(({ name }) => name).join('|')}) command=\${COMP_WORDS[i]} ;;
            *) command=run ;;
          esac
        fi ;;
    esac
  done
  [[ -n $ended ]] && return
  # --name=value comes as three words.
  if [[ $cur == = ]]; then value=$prev cur=
  elif [[ $prev == = ]]; then value=\${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $prev == -* ]]; then value=$prev
  fi
  case $value in
${valueCases()}
  esac
  if [[ $cur == -* ]]; then
    case "\${command:-run} $verb" in
${optionCases()}
    esac
    return
  fi
  if [[ -z $command ]]; then
    _dsh_offer '${typedCommands.map(({ name }) => name).join(' ')}'
    return
  fi
  case "$command $verb" in
${wordCases()}
  esac
}
complete -o default -F _dsh dsh
`
}

function valueCases(): string {
  return completedOptions.filter(({ type }) => type === 'string').map(({ flags, values, completes }) => `    ${flags.join('|')}) ${offer(values, completes)}; return ;;`).join('\n')
}

/** Verbs first: the pattern of their command takes every other word. */
function optionCases(): string {
  const ordered = [...places].sort((one, other) => other.place.split(' ').length - one.place.split(' ').length)
  return ordered.map(({ place, options }) => `      "${place.includes(' ') ? `${place}"` : `${place} "*`}) _dsh_offer '${options.flatMap(({ flags }) => flags).join(' ')}' ;;`).join('\n')
}

function wordCases(): string {
  return wordPlaces.filter(({ values, completes }) => values ?? completes).map(({ place, values, completes }) => `    "${place.includes(' ') ? place : `${place} `}") ${offer(values, completes)} ;;`).join('\n')
}

function offer(values: readonly string[] | undefined, completes: ValueKind | undefined): string {
  if (values) return `_dsh_offer '${values.join(' ')}'`
  switch (completes) {
    case 'file':
      return ':'
    case 'directory':
      return '_dsh_directories'
    case 'session':
      return '_dsh_sessions'
    case 'model':
      return `_dsh_offer '${KNOWN_MODELS.join(' ')}'`
    case undefined:
      return '_dsh_nothing'
  }
}
