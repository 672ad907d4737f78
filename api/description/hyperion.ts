// Operations of the Hyperion API.
import { failure, type Operations } from './operation.ts'

const UNKNOWN_ID = '1'.repeat(64)
const COVERED =
  'An answer is of transfers alone, and `coverage` says so: from which block on, of which contracts, and which members of Hyperion’s actions are left out because they are not indexed. What cannot be answered exactly is refused with a `code`, never answered in part: '
const CODES =
  '`HYPERION_ACTION` (another action than `transfer`), `HYPERION_PARAMETER` (a parameter that is not supported or is malformed), `HYPERION_UNBOUNDED` (neither account nor contract is named), `HYPERION_DEPTH` (`skip` reaches too far: continue with `before` or `after`), `HYPERION_CONTRACT` and `HYPERION_TRANSACTION` (not indexed), `HYPERION_HISTORY` (the range ends before the indexed history, which begins at `coverage.first_block`), `HYPERION_TIMEOUT` (503: a search by several filters or by contract took longer than 500 ms: narrow it with `after` and `before`).'

export const HYPERION: Operations = {
  'GET /v2/history/get_actions': {
    id: 'hyperionGetActions',
    about: `For clients of Hyperion. ${COVERED}${CODES} \`account\` finds transfers that it sent or received, and those of its own tokens.`,
    ask: '/v2/history/get_actions?account=trent.lp&filter=*:transfer&limit=2',
    failures: [
      failure(
        400,
        'Not only transfers are asked for, or a parameter is not supported.',
        '/v2/history/get_actions?account=trent.lp',
      ),
    ],
  },
  'GET /v2/history/get_transfers': {
    id: 'hyperionGetTransfers',
    about: `For clients of Hyperion. ${COVERED}${CODES}`,
    ask: '/v2/history/get_transfers?from=trent.lp&limit=2',
    failures: [
      failure(
        400,
        'Neither a sender, a receiver nor a contract is named, or a parameter is not supported.',
        '/v2/history/get_transfers',
      ),
    ],
  },
  'GET /v2/history/get_transaction': {
    id: 'hyperionGetTransaction',
    about:
      'For clients of Hyperion: the transfers of a transaction, in order. Its other actions are not covered, as `coverage` says. `executed` is always true: a transaction without an indexed transfer is refused, because nothing is known of it.',
    ask: '/v2/history/get_transaction?id={trx}',
    failures: [
      failure(400, 'The id is not 64 hexadecimal digits.', '/v2/history/get_transaction?id=12'),
      failure(404, 'No indexed transfer has the transaction.', `/v2/history/get_transaction?id=${UNKNOWN_ID}`),
    ],
  },
  'GET /v2/state/get_tokens': {
    id: 'hyperionGetTokens',
    about:
      'For clients of Hyperion: balances above zero of the tokens that `coverage` names. Where the indexed history began without the full state of the chain, it is refused with `HYPERION_HISTORY`: balances that have not changed since are unknown.',
    ask: '/v2/state/get_tokens?account=trent.lp&limit=3',
    failures: [failure(400, 'The account is missing or no name.', '/v2/state/get_tokens')],
  },
  'GET /v2/health': {
    id: 'hyperionHealth',
    about:
      'For clients of Hyperion: position of node and database, and which calls are answered. `/health/ready` says more to operators.',
    ask: '/v2/health',
  },
}
