export { createChecks, type DoctorFacts } from './doctor-checks.ts'
export { renderChecks, runChecks, type Check, type CheckResult, type CheckState } from './doctor.ts'
export { explainPermission, NO_POLICY, renderPermission, type ExplainedPermission } from './explain-permission.ts'
export { listModels, renderModels, type ListedModel } from './list-models.ts'
