/** Tells words that name files, folders and programs from plain English. Pure. */

import { quotationOf, valueOf, type Quoted } from './mask-quotes.ts'

const BARE_FILES = /^(?:readme|license|licence|changelog|contributing|makefile|dockerfile|gemfile|rakefile|procfile|justfile|jenkinsfile|vagrantfile|codeowners|notice)$/i
const EXTENSION = /^[\w@+()[\]*?.,~-]*\.[A-Za-z][A-Za-z0-9_]{0,11}$/
const NOT_FILES = /^(?:e\.g|i\.e|etc|node\.js|vue\.js|next\.js|react\.js|asp\.net|\.net)\.?$/i

/** Words that point at the whole workspace rather than at a folder. */
const HERE = /^(?:(?:in\s+)?(?:here|this|it)|(?:the\s+|this\s+|my\s+|current\s+|whole\s+|entire\s+|our\s+)*(?:current\s+)?(?:code|codebase|code base|project|repo|repository|workspace|folder|directory|dir|source|sources|sources? code|files?|tree)|all(?:\s+the)?\s+files?|everything|every\s+file|\.\/?)$/i

/** Stands for the file that the command before named; no prompt can hold it. */
export const IT = '\uE000it\uE001'

/** Whether a word, quoted or not, can be meant as a file or folder. */
export function isPathLike(word: string, quoted: readonly Quoted[] = []): boolean {
  const quotation = quotationOf(word, quoted)
  if (quotation) return quotation.style !== 'fence' && quotation.value !== '' && !quotation.value.includes('\n')
  if (isUrl(word) || NOT_FILES.test(word)) return false
  return word === '.' || word === '..' || /^(?:~|\.{1,2})?\/\S/.test(word) || /^\S+\/\S*$/.test(word) || EXTENSION.test(word) || BARE_FILES.test(word)
}

export function isUrl(word: string): boolean {
  return /^https?:\/\/\S+$/i.test(word)
}

export function isHere(words: string): boolean {
  return HERE.test(words.trim())
}

/** Takes the punctuation of the sentence off a bare word: `a.txt.` is `a.txt`, `..` stays. */
export function bareWord(word: string): string {
  return /^\.{1,2}$/.test(word) ? word : word.replace(/[,;:!?]+$/, '').replace(/(?<=[\w)*/])\.+$/, '')
}

/** The path that one masked word stands for, `IT` for "it"; undefined when it does not look like one. */
export function pathOf(word: string, quoted: readonly Quoted[]): string | undefined {
  const bare = bareWord(word.trim())
  if (/^it$/i.test(bare)) return IT
  return isPathLike(bare, quoted) ? valueOf(bare, quoted) : undefined
}

/** `a.txt, b.txt and the file c.txt` as paths; undefined unless every word is one. */
export function pathsOf(words: string, quoted: readonly Quoted[]): string[] | undefined {
  const pieces = words.trim().split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s+/).filter(piece => !/^(?:the|files?|named|called|both|&|)$/i.test(piece))
  const paths = pieces.map(piece => pathOf(piece, quoted))
  return paths.length > 0 && paths.every(path => path !== undefined) ? paths : undefined
}
