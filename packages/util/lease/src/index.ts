export { currentHolder, describeHolder, isAlive, isStoredLease, type LeaseHolder, type StoredLease } from './lease.ts'
export { LeaseError, readHolder, takeLease, type LeaseFile, type LeaseOptions } from './lease-file.ts'
