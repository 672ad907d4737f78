// The price oracle: data points of pairs in a small ring, as in `delphioracle`.

import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import { msToMicroseconds } from '../../core/antelope/time.ts'
import type { Actions, Tables } from '../../core/contracts/oracle.ts'
import type { ApplyContext, Contract } from '../chain/contract.ts'
import { abiFile } from './abi-file.ts'
import { membersOf, requireAuthority } from './actions.ts'

type DataPoint = Tables['datapoints']

const POINTS = 21n

export class OracleContract implements Contract {
  readonly account: string
  readonly abi: AbiDefinition = abiFile('delphioracle')

  constructor(account = 'delphioracle') {
    this.account = account
  }

  apply(context: ApplyContext): void {
    if (context.action.account !== this.account || context.action.name !== 'write') return
    const { owner, quotes } = membersOf<Actions['write']>(context.action)
    requireAuthority(context, owner)
    for (const { value, pair } of quotes) this.write(context, owner, pair, value)
  }

  /** Overwrites the oldest point. The row's median is the median of the points before it. */
  private write(context: ApplyContext, owner: string, pair: string, value: bigint): void {
    const points = context.db.rows<DataPoint>('datapoints', pair)
    const timestamp = msToMicroseconds(context.now)
    const oldest = points.reduce<DataPoint | undefined>((a, b) => (a && a.timestamp <= b.timestamp ? a : b), undefined)
    const id = BigInt(points.length) < POINTS ? BigInt(points.length) + 1n : (oldest?.id ?? 1n)
    const values = [...points.filter((point) => point.id !== id).map((point) => point.value), value]
    values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const median = values[values.length >> 1] as bigint
    const point: DataPoint = { id, owner, value, median, timestamp }
    context.db.set('datapoints', pair, id, point)
  }
}
