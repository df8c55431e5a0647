/** Node's own import, out of the test runner's reach: plugins on disk are loaded by Node. */
export const nativeImport = specifier => import(specifier)
