// Defaults and bounds of parameters, as `/api/v3/meta` returns them.

/** Limits shared by the endpoints. */
export const LIMITS = {
  poolSwaps: 200,
  poolSwapsMost: 10_000,
  accountHistory: 200,
  accountDeals: 500,
  trades: 200,
  tradesMost: 1000,
  candlesMost: 5000,
  orderBookDepth: 300,
  onchainBlocks: 5000,
  routeHops: 3,
  routeSplits: 5,
  routeSlippagePercent: 0.3,
  marketDepthLevels: 10,
  marketBookOrders: 20,
  searchResults: 20,
  searchResultsMost: 100,
  tokenHours: 168,
  tokenHoursMost: 1000,
  streamSubscriptions: 100,
  streamPingSeconds: 30,
} as const
