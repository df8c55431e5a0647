/**
 * Checks who may import whom and where packages lie. Run: `node scripts/check-layers.ts`.
 *
 * A package says what it is in `package.json`, as `"dsh": { "role": … }`. Edges
 * come from the import statements themselves, type imports included, because a
 * manifest can forget an edge and a source file cannot.
 */

import { findLayerProblems } from './check-layers/find-layer-problems.ts'
import { findManifestProblems } from './check-layers/find-manifest-problems.ts'
import { findShapeProblems } from './check-layers/find-shape-problems.ts'
import { readWorkspace } from './check-layers/read-workspace.ts'
import { report } from './repository/report.ts'

const workspace = readWorkspace(`${import.meta.dirname}/..`)
report('check-layers', [...findShapeProblems(workspace), ...findLayerProblems(workspace.packages), ...findManifestProblems(workspace)])
