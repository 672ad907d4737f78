// Assets of the feed for the synthetic exchanges. Their first tokens are forms of one asset on all chains with ids of
// an aggregator, so that the merged feed has markets.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FeedAsset } from '../../config/feed-assets.ts'
import type { Scale } from './history.ts'

/** Number of tokens with assets, the most traded ones. */
const KNOWN = 400
/** Ids below this belong to real assets. */
const FIRST_ID = 100_000

/** Writes the assets to a file, which the caller must remove. */
export function feedAssetsFile(scales: readonly Scale[]): { path: string; remove(): void } {
  const coins = scales.map(({ chain, systemToken: { symbol } }, i): FeedAsset => {
    const tokens = [`${chain}:${symbol.toLowerCase()}-eosio.token`]
    return { symbol, id: FIRST_ID + i, kind: 'coin', tokens }
  })
  const made = Array.from({ length: KNOWN - 1 }, (_, i): FeedAsset => {
    const { symbol, contract } = madeToken(i + 1)
    const tokens = scales.map(({ chain }) => `${chain}:${symbol.toLowerCase()}-${contract}`)
    return { symbol, id: FIRST_ID + scales.length + i, ...(i === 0 ? { kind: 'stable' } : {}), tokens }
  })
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
  const path = join(folder, 'assets.json')
  writeFileSync(path, JSON.stringify({ assets: [...coins, ...made] }))
  return { path, remove: () => rmSync(folder, { recursive: true }) }
}

/** The token's names as in sql.ts. */
function madeToken(n: number): { symbol: string; contract: string } {
  if (n === 1) return { symbol: 'USDT', contract: 'usdt.svc' }
  const letter = (place: number) => String.fromCharCode(65 + (Math.floor(n / 26 ** place) % 26))
  const symbol = [3, 2, 1, 0].map(letter).join('')
  return { symbol, contract: `token${String.fromCharCode(97 + (n % 26))}.svc` }
}
