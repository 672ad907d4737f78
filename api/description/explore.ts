// Operations of the explorer.
import { failure, type Operations } from './operation.ts'

const explore = '/api/v3/explore'
const UNKNOWN_ID = '1'.repeat(64)

export const EXPLORE: Operations = {
  [`GET ${explore}/tx/{id}`]: {
    id: 'getTransactionFacts',
    about:
      'In the order of the chain, over all datasets. Each fact is a row of the SQL view of its dataset. `final` changes to true when the block is irreversible; a fork removes a fact that is not final.',
    ask: `${explore}/tx/{trx}`,
    failures: [
      failure(400, 'The id is not 64 hexadecimal digits.', `${explore}/tx/12`),
      failure(404, 'No indexed fact has this transaction.', `${explore}/tx/${UNKNOWN_ID}`),
    ],
  },
  [`GET ${explore}/block/{block}`]: {
    id: 'getBlockFacts',
    about: 'The header and a page of the facts, in the order of the chain.',
    ask: `${explore}/block/{eventBlock}?limit=3`,
    failures: [
      failure(400, 'Neither a number nor an id.', `${explore}/block/x`),
      failure(
        404,
        'No indexed block has this number or id: it is newer, older, or a fork replaced it.',
        `${explore}/block/1`,
      ),
    ],
  },
  [`GET ${explore}/account/{account}/activity`]: {
    id: 'getAccountActivity',
    about:
      'One cursor for all datasets: a page that follows `next` neither loses nor repeats a fact while blocks arrive. Facts of one action stay on one page, so a page may have some more facts than `limit`. The cost of a page does not depend on how old it is.',
    ask: `${explore}/account/trent.lp/activity?limit=3`,
    failures: [
      failure(400, 'A kind is unknown.', `${explore}/account/trent.lp/activity?kind=rows`),
      failure(400, 'No name of an account.', `${explore}/account/NOBODY/activity`),
    ],
  },
  [`GET ${explore}/account/{account}/transfers`]: {
    id: 'getAccountTransfers',
    about: 'As `activity` with `kind=transfers`.',
    ask: `${explore}/account/trent.lp/transfers?limit=3`,
    failures: [failure(400, 'No name of an account.', `${explore}/account/NOBODY/transfers`)],
  },
  [`GET ${explore}/search`]: {
    id: 'searchExplorer',
    about:
      'Best results first. A text may name several kinds of things: `5` is a pool, a market and a block. Without `kind`, no kind fills more than half of the list. Tokens, pools and markets are those of the chain of the host, found by any part of symbol and contract; accounts by the start of the name; transactions by the whole id. Bridge transfers are those of all chains: their `chain` is where they began.',
    ask: `${explore}/search?q=tlm&limit=4`,
    failures: [failure(400, '`q` is missing or too long, or the kind is unknown.', `${explore}/search`)],
  },
}
