// Parses the memo of a token transfer to the AMM.
import { type ExtendedAsset, parseAsset } from '../../../core/antelope/asset.ts'

export interface SwapMemo {
  kind: 'swapexactin' | 'swapexactout'
  poolIds: bigint[]
  recipient: string
  output: ExtendedAsset
  /** Unix seconds, 0 for none. */
  deadline: number
}

export type AmmMemo =
  | { kind: 'deposit' }
  | SwapMemo
  | { kind: 'activepool' | 'incentreward'; id: bigint }
  | { kind: 'unknown' }

const NUMBER = /^\d{1,19}$/

/** An unknown form is `unknown`. */
export function parseMemo(memo: string): AmmMemo {
  const [service, ...params] = memo.split('#')
  if (memo === 'deposit') return { kind: 'deposit' }
  if (service === 'swapexactin' || service === 'swapexactout') return swapMemo(service, params)
  if (service === 'activepool' || service === 'incentreward') {
    return NUMBER.test(params[0] ?? '') ? { kind: service, id: BigInt(params[0] as string) } : { kind: 'unknown' }
  }
  return { kind: 'unknown' }
}

function swapMemo(kind: SwapMemo['kind'], [ids, recipient, output, deadline]: string[]): AmmMemo {
  const list = ids?.split(',') ?? []
  const [quantity, contract] = output?.split('@') ?? []
  const valid = list.every((id) => NUMBER.test(id)) && recipient && quantity && contract && NUMBER.test(deadline ?? '')
  if (!valid) return { kind: 'unknown' }
  return {
    kind,
    poolIds: list.map(BigInt),
    recipient,
    output: { quantity: parseAsset(quantity), contract },
    deadline: Number(deadline),
  }
}
