// Order of test files in a run: the slowest first, so that no long file runs alone at the end.

/** Files that take more than about ten seconds on an idle machine, the slowest first. */
const SLOW: readonly string[] = [
  'test/core/route/depth.test.ts',
  'test/devnet/bridge/live.test.ts',
  'test/indexer/derive/scores-replay.test.ts',
  'test/proofs/recording.test.ts',
  'test/indexer/store/forks.test.ts',
  'test/devnet/contracts/trader.test.ts',
  'test/indexer/source/evm/endpoints.test.ts',
  'test/indexer/finality/live.test.ts',
  'test/core/route/shapes.test.ts',
  'test/simulation/forks.test.ts',
  'test/indexer/value/recordings.test.ts',
  'test/devnet/bridge/history.test.ts',
  'test/api/market-api/depth-blocks.test.ts',
  'test/indexer/publish/replica.test.ts',
  'test/indexer/export/duckdb.test.ts',
  'test/indexer/finality/legacy.test.ts',
  'test/proofs/deposit/votes.test.ts',
  'test/api/exchange/answer-cache.test.ts',
  'test/indexer/verify/against.test.ts',
  'test/bin/cli.test.ts',
  'test/crash/database.test.ts',
  'test/crash/lease.test.ts',
  'test/mutants/mutants.test.ts',
]

/** Slow files first; the others keep their order. */
export function slowestFirst<T extends { source: string }>(tests: readonly T[]): T[] {
  const rank = ({ source }: T) => (SLOW.includes(source) ? SLOW.indexOf(source) : SLOW.length)
  return [...tests].sort((a, b) => rank(a) - rank(b))
}
