// The price oracle: data points of pairs in a small ring, as in `delphioracle`.
import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import type { ApplyContext, Contract } from '../chain/contract.ts'
import { abiFile } from './abi-file.ts'
import { requireAuthority } from './actions.ts'

const POINTS = 21n

interface DataPoint {
  id: bigint
  owner: string
  value: bigint
  median: bigint
  /** Unix microseconds. */
  timestamp: bigint
}

interface Quote {
  value: bigint
  pair: string
}

export class OracleContract implements Contract {
  readonly account: string
  readonly abi: AbiDefinition = abiFile('delphioracle')

  constructor(account = 'delphioracle') {
    this.account = account
  }

  apply(context: ApplyContext): void {
    if (context.action.account !== this.account || context.action.name !== 'write') return
    const { owner, quotes } = context.action.data as { owner: string; quotes: Quote[] }
    requireAuthority(context, owner)
    for (const { value, pair } of quotes) this.write(context, owner, pair, value)
  }

  /** Overwrites the oldest point; the median is that of the points at this moment. */
  private write(context: ApplyContext, owner: string, pair: string, value: bigint): void {
    const points = context.db.rows<DataPoint>('datapoints', pair)
    const timestamp = BigInt(context.now) * 1000n
    const oldest = points.reduce<DataPoint | undefined>((a, b) => (a && a.timestamp <= b.timestamp ? a : b), undefined)
    const id = BigInt(points.length) < POINTS ? BigInt(points.length) + 1n : (oldest?.id ?? 1n)
    const values = [...points.filter((point) => point.id !== id).map((point) => point.value), value]
    values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const median = values[values.length >> 1] as bigint
    context.db.set('datapoints', pair, id, { id, owner, value, median, timestamp })
  }
}
