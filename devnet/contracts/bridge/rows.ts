// Rows of the ledger's tables on telos, and actions of the bridge, decoded.
import type { Actions, Tables } from '../../../core/contracts/bridge-telos-devnet.ts'
import type { Actions as WrapActions } from '../../../core/contracts/wrap.ts'

export type RouteRow = Tables['routes']
/** Status: 0 open, 1 settled, 2 expired, 3 refunded. The deadline is in Unix seconds. */
export type WithdrawalRow = Tables['wdraws']
export type ParkedRow = Tables['parked']
/** `forward_domain` and `forward_nonce` name the deposit in delivery: its receiver may read them. */
export type CounterRow = Tables['counters']
/** `sym_code` identifies the token, because a token contract of an Antelope chain holds several. */
export type CreditData = Actions['credit']
export type WithdrawData = WrapActions['withdraw']
