// The groups of operations, in the order of the reference, with their descriptions.

export const TAGS = [
  ['Tokens', 'Prices, scores, scam marks and logos of tokens.'],
  ['AMM pools', 'State, positions, swaps and candles of the concentrated-liquidity pools.'],
  ['Spot markets', 'Order-book markets: tickers, order books, trades and candles.'],
  ['AMM feed', 'Pools in the layout of tickers, for aggregators of one chain.'],
  ['Swap routes', 'The best way to swap an amount, as transfers ready to sign.'],
  ['Explorer', 'Facts by transaction, block and account, head or final, in one form for all datasets.'],
  [
    'Hyperion',
    'Calls of the Hyperion v2 API for clients that exist: transfers and balances of tokens, exactly; the rest is refused.',
  ],
  ['Accounts', 'History and open positions of an account.'],
  ['Market API', 'Prices, depth, pools and order books as of the last block.'],
  ['Market stream', 'The Market API as a WebSocket: pushed after each block that changes something.'],
  ['Analytics', 'TVL, volume and fees of the exchange, and ranked lists of tokens, pools and markets.'],
  ['Charts', 'Candles in the protocol of charting libraries.'],
  ['Cross-chain feed', 'Pools and order books of all chains together, for aggregators. Refreshed every minute.'],
  ['On-chain feed', 'Swaps and liquidity events by irreversible blocks, for indexers that read block ranges.'],
  ['Bridge', 'Routes, transfers and proofs of the cross-chain bridge.'],
  ['CPU sponsorship', 'Signatures of the account that pays the CPU of transactions.'],
  ['About', 'What is in force: defaults, thresholds, scam lists.'],
  ['Operating', 'Health, position and metrics, for operators.'],
] as const satisfies readonly (readonly [string, string])[]
