// Recomputes candles from the ledger by SQL independent of the indexer's, and compares them both ways.
import type { ClientBase } from 'pg'
import { type CheckReport, Findings } from './report.ts'
import { CANDLE_COUNT, differingCandles } from './sql.ts'

const RESOLUTIONS = ['1', '5', '15', '30', '60', '240', '1D', '1W', '1M']

export async function checkCandles(client: ClientBase, chain: string): Promise<CheckReport> {
  const findings = new Findings('candles')
  const { rows: counted } = await client.query(CANDLE_COUNT, [chain])
  findings.compared(Number(counted[0].count))
  for (const resolution of RESOLUTIONS) {
    const { rows } = await client.query(differingCandles(resolution), [chain])
    for (const { kind, id, bucket, expected, found } of rows) {
      const what = `candle ${kind} ${id} ${resolution} ${bucket.toISOString()}`
      findings.differ(what, expected ? JSON.stringify(expected) : 'none', found ? JSON.stringify(found) : 'none')
    }
  }
  return findings.finish()
}
