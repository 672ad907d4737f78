// Data points of the on-chain price oracle. The contract overwrites its rows, so each version of a row is stored.

import { TimePoint } from '../../../core/antelope/time-point.ts'
import type { Tables } from '../../../core/contracts/oracle.ts'
import type { TableProjection } from '../projection.ts'

export const oraclePoints: TableProjection<Tables, 'datapoints'> = {
  contract: 'oracle',
  table: 'datapoints',
  rows: (r, at) => {
    if (!at.present) return {}
    const row = {
      chain: at.chain,
      pair: at.scope,
      blockNum: at.blockNum,
      pointId: at.primaryKey,
      blockTime: at.blockTime,
      contract: at.code,
      owner: r.owner,
      value: r.value,
      median: r.median,
      pointTime: TimePoint.ofMicroseconds(r.timestamp),
    }
    return { ledger: [{ table: 'oracle_points', row }] }
  },
}
