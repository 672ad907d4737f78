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
  [`GET ${explore}/account/{account}`]: {
    id: 'getExplorerAccount',
    about:
      'Lists and sums are of one block. Amounts have all decimals of their token; values have 8 significant digits and are null when a price is unknown, never 0. A position is worth what closing it pays, with the fees that are not collected. An order is worth what is left of its offer. Sums are of trusted tokens alone, because anyone can give a token any price; `unvalued` counts the other parts. `final` is of the row: the answer is always of the head. An account without anything has empty lists.',
    ask: `${explore}/account/trent.lp`,
    failures: [failure(400, 'No name of an account.', `${explore}/account/NOBODY`)],
  },
  [`GET ${explore}/account/{account}/value`]: {
    id: 'getAccountValue',
    about:
      'What an account was worth at the end of each hour, by the prices at that moment: balances, and the tokens that closing its positions would have paid then. Balances are those of watched tokens that are trusted now. Fees that were not collected, and the tokens of open orders, are not in the values, because their past amounts are not kept. A position is in the values when both of its tokens had a price and are trusted. `unvalued` counts the parts left out. A value is null when balances or positions of that time are not known, because the indexed history had not begun, or when no part had a price; an account without anything has the value 0. Positions of an hour are not known when more than 1,000 were open, or when the account changed positions more than 50,000 times since: that bounds the cost of a request.',
    ask: `${explore}/account/trent.lp/value?limit=3`,
    failures: [failure(400, 'No name of an account.', `${explore}/account/NOBODY/value`)],
  },
  [`GET ${explore}/token/{tokenId}`]: {
    id: 'getExplorerToken',
    about:
      'Price, supply, number of holders by the hour, and the ten largest holders. Supply and holders are those of watched tokens.',
    ask: `${explore}/token/tlm-alien.worlds`,
    failures: [
      failure(
        404,
        'No pool and no market trades the token, and its balances are not watched.',
        `${explore}/token/nothing-nowhere`,
      ),
    ],
  },
  [`GET ${explore}/token/{tokenId}/holders`]: {
    id: 'getTokenHolders',
    about:
      'Read through an index in the order of the balances, so an old page costs as much as the first. A holder whose balance changes between two pages may be on both, or on neither.',
    ask: `${explore}/token/tlm-alien.worlds/holders?limit=2`,
    failures: [
      failure(
        400,
        'The cursor is malformed, or of another list.',
        `${explore}/token/tlm-alien.worlds/holders?cursor=1`,
      ),
      failure(
        404,
        'The token is unknown, or its balances are not watched.',
        `${explore}/token/nothing-nowhere/holders`,
      ),
    ],
  },
  [`GET ${explore}/token/{tokenId}/distribution`]: {
    id: 'getTokenDistribution',
    about:
      'Holders are counted in buckets by powers of ten of their balance, as of the block. All are counted, and sums are exact. A count that takes long, because there are very many holders, is used again for twenty times as long: `block` says of which block it is.',
    ask: `${explore}/token/tlm-alien.worlds/distribution`,
    failures: [
      failure(
        404,
        'The token is unknown, or its balances are not watched.',
        `${explore}/token/nothing-nowhere/distribution`,
      ),
    ],
  },
  [`GET ${explore}/token/{tokenId}/transfers`]: {
    id: 'getTokenTransfers',
    about:
      'Newest first. A page that follows `next` neither loses nor repeats a transfer while blocks arrive, and an old page costs as much as the first.',
    ask: `${explore}/token/tlm-alien.worlds/transfers?limit=2`,
    failures: [
      failure(
        404,
        'No pool and no market trades the token, and no transfer of it is indexed.',
        `${explore}/token/nothing-nowhere/transfers`,
      ),
    ],
  },
  [`GET ${explore}/token/{tokenId}/prices`]: {
    id: 'getTokenPrices',
    about:
      'Prices through the pools that price the token now, at the end of each hour; at the block for the hour that is not over. An hour before a pool of the path was created, or before the indexed history, has no price. USD is by the price of the system token at that time.',
    ask: `${explore}/token/tlm-alien.worlds/prices?limit=3`,
    failures: [failure(404, 'The token is unknown.', `${explore}/token/nothing-nowhere/prices`)],
  },
  [`GET ${explore}/pool/{poolId}/positions`]: {
    id: 'getTopPositions',
    about:
      'By liquidity, a position moves only when its own liquidity changes; then it can be on two pages, or on none. By `order=id`, no position moves: all pages together have each one once. A page reads its own rows alone, so an old page costs as much as the first. Values are of the block of the answer.',
    ask: `${explore}/pool/2/positions?limit=2`,
    failures: [
      failure(400, 'The id is no number.', `${explore}/pool/x/positions`),
      failure(404, 'There is no such pool.', `${explore}/pool/4000000000/positions`),
    ],
  },
  [`GET ${explore}/pool/{poolId}/liquidity`]: {
    id: 'getPoolLiquidity',
    about:
      'Each position adds its liquidity at its lower tick and takes it away at its upper one; the ticks have these changes in sum, as the contract holds them. If `complete`, the sum up to the current tick is `liquidity`; otherwise sums can be too small, too large or negative, because ticks of positions are missing. The price of A in B at a tick is 1.0001 to the power of the tick, in raw units.',
    ask: `${explore}/pool/2/liquidity`,
    failures: [
      failure(400, 'The id is no number.', `${explore}/pool/x/liquidity`),
      failure(404, 'There is no such pool.', `${explore}/pool/4000000000/liquidity`),
    ],
  },
  [`GET ${explore}/market/{marketId}/trades`]: {
    id: 'getMarketTrades',
    about:
      'Each trade is a row of the SQL view of deals: `bidder` is the account of the order that took, `asker` that of the order that rested. `type` is `buymatch` when the taker bought. A page that follows `next` neither loses nor repeats a trade while blocks arrive, and an old page costs as much as the first.',
    ask: `${explore}/market/0/trades?limit=2`,
    failures: [
      failure(400, 'The id is no whole number.', `${explore}/market/x/trades`),
      failure(404, 'There is no such market.', `${explore}/market/2000000000/trades`),
    ],
  },
  [`GET ${explore}/pool/{poolId}/trades`]: {
    id: 'getPoolTrades',
    about:
      'Each trade is a row of the SQL view of swaps: amounts are exact, positive where a token entered the pool and negative where it left. `price` is that after the swap. A page that follows `next` neither loses nor repeats a swap while blocks arrive, and an old page costs as much as the first.',
    ask: `${explore}/pool/0/trades?limit=2`,
    failures: [
      failure(400, 'The id is no whole number.', `${explore}/pool/x/trades`),
      failure(404, 'There is no such pool.', `${explore}/pool/2000000000/trades`),
    ],
  },
  [`GET ${explore}/large-trades`]: {
    id: 'getLargeTrades',
    about:
      'Swaps and deals of at least 100, 1,000 or 10,000 USD, valued when they were made; trades of an unknown value are not among them. A page that follows `next` neither loses nor repeats a trade while blocks arrive.',
    ask: `${explore}/large-trades?limit=2`,
    failures: [failure(400, 'There is no such least value.', `${explore}/large-trades?usd=7`)],
  },
  'GET /api/v3/stream/facts': {
    id: 'streamFacts',
    about: `Server-sent events, or a WebSocket when the request asks for one: the same messages as JSON, one in each event or frame. Every message has a \`cursor\`, also as the id of the event. After a break connect again with the last cursor (\`cursor=\`, or \`Last-Event-ID\`, which browsers send by themselves): the stream goes on from there, however long the break was.

- \`start\`: where the stream begins. Without a cursor that is the newest block.
- \`block\`: all wanted facts of a block, in the order of the chain. Blocks without any are left out.
- \`undo\`: a fork replaced the blocks in \`undone\`. Remove all facts of blocks above \`block\`; those of the new branch follow. A client that does so has every fact of the followed branch once.
- \`progress\`: the cursor, when nothing else was sent for ten seconds; with \`progress=true\` also whenever the head or the last irreversible block has advanced, without wanted facts too; several blocks can share one.
- \`other\`, with \`others=true\` alone: \`chain\`, a chain of the bridge without a stream, such as an EVM chain, may have a new block. It is not repeated after a break.
- \`error\` with \`code\` \`STREAM_CURSOR\`: the block of the cursor is not known, because it is older than the indexed history, more than 1,000 blocks above the head, or of another chain. The connection ends: read the facts from the other endpoints and start again.

\`lib\` is the last irreversible block: facts up to it are never undone. With \`final=true\` only those are sent. A client that reads slowly gets everything later; one that takes nothing for 30 seconds is disconnected. There is a limit of connections in all (503; 1,000 unless the operator sets another) and from one address (429; none unless the operator sets one).`,
    ask: '/api/v3/stream/facts?datasets=swaps',
    type: 'text/event-stream',
    answers: {
      type: 'string',
      description: 'Events: `id` is the cursor, `event` the type, `data` the message as JSON.',
    },
    failures: [failure(400, 'The cursor is malformed, or a dataset is unknown.', '/api/v3/stream/facts?cursor=7')],
  },
}
