// Points at which an indexer is killed: steps of a commit, and places inside single statements.
import { COMMIT_POINTS } from '../../indexer/store/writer.ts'

/** Places between the steps, each by a part of the running statement. */
export const STATEMENTS = {
  'at start': 'select meta.add_chain',
  'while taking the chain': 'select meta.take_lease',
  'during rewind': 'select meta.rewind',
  'during copy': 'copy ledger.',
  'during merge': 'execute keep_',
  'during candles': 'select meta.refresh_candles',
  'during commit': 'commit',
  'while indexes are built': 'select meta.build_indexes',
} as const

export const POINTS: readonly string[] = [...COMMIT_POINTS, ...Object.keys(STATEMENTS)]
