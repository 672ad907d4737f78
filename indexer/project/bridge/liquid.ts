// `noop` of the liquid staking contract: the first action of transactions whose CPU that account pays. Its plain layout
// has no members; members of other layouts go to `details`.
import { json } from '../json.ts'
import { type ActionProjection, ledger } from '../projection.ts'

export const noop: ActionProjection<{ noop: object }, 'noop'> = {
  contract: 'liquid',
  action: 'noop',
  rows: (a, at, account) => {
    const details = Object.keys(a).length > 0 ? json(a) : undefined
    return { ledger: [ledger('noops', at, { account, details })] }
  },
}
