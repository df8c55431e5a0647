import { expect, it } from 'vitest'
import { asFailure } from '../src/failures.ts'

/** As SQLite says it: the code is an extended one (sqlite.org/rescode.html). */
function said(errcode: number): unknown {
  return Object.assign(new Error('disk I/O error'), { errcode })
}

it('tells a disk that has no room for the shared memory from one that fails', () => {
  const [IOERR_SHMSIZE, IOERR_READ, FULL] = [4874, 266, 13]
  expect([IOERR_SHMSIZE, IOERR_READ, FULL].map(code => asFailure(said(code), 'open it').code)).toEqual(['STORE_FULL', 'STORE_FAILED', 'STORE_FULL'])
})
