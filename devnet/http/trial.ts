// Transactions simulated on the head's state without effect: `compute_transaction`, and `send_read_only_transaction`,
// which must not write. Signatures are not required.

import { DecodeError, UserError } from '../../core/errors.ts'
import type { Chain } from '../chain/chain.ts'
import { ContractError } from '../chain/contract-error.ts'
import { type ActionTrace, execute } from '../chain/execute.ts'
import type { Inbox } from '../chain/inbox.ts'
import { receiptOf, type Transaction } from '../chain/transaction.ts'
import { ChainApiError } from './error.ts'
import { type PushQuery, packedOf } from './push.ts'

export interface TrialQuery {
  transaction?: PushQuery
}

/** Whether the simulated transaction may write, by path. */
export const TRIALS: Readonly<Record<string, boolean>> = {
  '/v1/chain/compute_transaction': true,
  '/v1/chain/send_read_only_transaction': false,
}

const ASSERTION = { code: 3050003, name: 'eosio_assert_message_exception' }
const READ_ONLY = { code: 3160005, name: 'table_operation_not_permitted' }
const SLOT = 500

interface Trial {
  traces: readonly ActionTrace[]
  except: object | null
}

/** Trace of a simulation; a failure is in `processed.except`. @throws ChainApiError when the request cannot be read */
export function tryTransaction(chain: Chain, inbox: Inbox, query: TrialQuery, mayWrite: boolean): object {
  const transaction = readTransaction(inbox, query.transaction ?? {})
  const { traces, except } = attempt(chain, transaction, mayWrite)
  const { cpuUsageUs, netUsageWords } = receiptOf(transaction)
  const { id } = transaction
  const receipt = except ? null : { status: 'executed', cpu_usage_us: cpuUsageUs, net_usage_words: netUsageWords }
  const action_traces = traces.map(({ ordinal, creator, receiver, action }) => ({
    action_ordinal: ordinal,
    creator_action_ordinal: creator,
    receiver,
    act: { account: action.account, name: action.name, authorization: action.authorization },
  }))
  const processed = { id, block_num: chain.head.num + 1, receipt, elapsed: cpuUsageUs, except, action_traces }
  return { transaction_id: id, processed }
}

function attempt(chain: Chain, transaction: Transaction, mayWrite: boolean): Trial {
  const { state, contracts } = chain
  const { globalSequence } = state
  const mark = state.mark()
  try {
    const { expiration } = transaction.header
    if (expiration * 1000 <= chain.headTime) return failed(ASSERTION, 'expired transaction')
    const traces = execute(state, contracts, transaction, chain.headTime + SLOT)
    if (!mayWrite && state.hasWrittenSince(mark))
      return failed(READ_ONLY, 'cannot store a db record when executing a readonly transaction')
    return { traces, except: null }
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    return failed(ASSERTION, `assertion failure with message: ${error.message}`)
  } finally {
    state.rollback(mark, globalSequence)
  }
}

function failed(exception: { code: number; name: string }, message: string): Trial {
  const stack = [{ context: {}, format: 's', data: { s: message } }]
  return { traces: [], except: { ...exception, message, stack } }
}

function readTransaction(inbox: Inbox, query: PushQuery): Transaction {
  try {
    return inbox.read(packedOf(query))
  } catch (error) {
    const { message } = error as Error
    if (error instanceof ContractError || error instanceof DecodeError || error instanceof UserError)
      throw new ChainApiError(3010001, 'packed_transaction_type_exception', message)
    throw error
  }
}
