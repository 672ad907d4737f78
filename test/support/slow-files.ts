// Order of test files in a run: the slowest first, so that no long file runs alone at the end.

/** The slowest tenth of the files, the slowest first, by a run on a busy machine. */
const SLOW: readonly string[] = [
  'test/web/journeys/browser.test.ts',
  'test/devnet/bridge/live.test.ts',
  'test/core/route/depth.test.ts',
  'test/stock/stock-server.test.ts',
  'test/api/analytics/hours.test.ts',
  'test/migrations/privileges.test.ts',
  'test/devnet/edge-cases.test.ts',
  'test/proofs/recording.test.ts',
  'test/simulation/forks.test.ts',
  'test/indexer/jobs/backfill-hours.test.ts',
  'test/proofs/tampering.test.ts',
  'test/api/live-market/forks.test.ts',
  'test/indexer/store/embedded/server.test.ts',
  'test/api/live-market/live-market.test.ts',
  'test/migrations/upgrade.test.ts',
  'test/indexer/derive/scores-replay.test.ts',
  'test/indexer/export/export.test.ts',
  'test/api/bridge/histories.test.ts',
  'test/indexer/value/recordings.test.ts',
  'test/indexer/verify/logs.test.ts',
  'test/core/route/shapes.test.ts',
  'test/api/exchange/live.test.ts',
  'test/devnet/world/journeys.test.ts',
  'test/indexer/publish/ledger-replica.test.ts',
  'test/proofs/deposit/ethereum.test.ts',
  'test/mutants/mutants.test.ts',
  'test/bin/cli.test.ts',
  'test/indexer/source/logs/source.test.ts',
  'test/crash/whole-program.test.ts',
  'test/indexer/replay/forks.test.ts',
  'test/core/route/brute-force.test.ts',
  'test/indexer/bootstrap/bad-nodes.test.ts',
  'test/migrations/views.test.ts',
  'test/indexer/finality/live.test.ts',
  'test/indexer/rewind/rewind.test.ts',
  'test/indexer/verify/verify.test.ts',
]

/** Slow files first; the others keep their order. */
export function slowestFirst<T extends { source: string }>(tests: readonly T[]): T[] {
  const rank = ({ source }: T) => (SLOW.includes(source) ? SLOW.indexOf(source) : SLOW.length)
  return [...tests].sort((a, b) => rank(a) - rank(b))
}
