/**
 * Checks what is inside files: sizes, swallowed errors, assertions, state of
 * modules, headers, paths of somebody's machine. Run: `node scripts/check-source.ts`.
 *
 * There are no exemptions but `*.generated.ts`. Each rule is a function from
 * one file to its problems; who may import whom is for `check-layers`.
 */

import { checkTree } from './check-source/check-tree.ts'
import { report } from './repository/report.ts'

report('check-source', checkTree(`${import.meta.dirname}/..`))
