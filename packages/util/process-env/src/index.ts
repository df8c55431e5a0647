export { childEnv, type ChildEnvOptions } from './child-env.ts'
export { isSecretName, namesSecretValue } from './secret-names.ts'
export { redactValues, secretValues } from './secret-values.ts'
export { userDirectories, type UserDirectories } from './user-directories.ts'
