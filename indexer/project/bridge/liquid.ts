// The liquid staking contract's `noop`: it stands first in transactions whose CPU that account pays. The plain layout
// has no members; those of another go into `details`.
import { json } from '../json.ts'
import { type ActionProjection, ledger } from '../projection.ts'

export const noop: ActionProjection<object> = {
  contract: 'liquid',
  action: 'noop',
  rows: (a, at, account) => {
    const details = Object.keys(a).length > 0 ? json(a) : undefined
    return { ledger: [ledger('noops', at, { account, details })] }
  },
}
