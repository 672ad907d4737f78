// Gateways: contracts that credit the deposits of a domain, each with its proof. Layouts of `credit` differ: some have
// relayer, nonce and a packed proof, others the parts of the proof (headers, receipt, log index). Members with a column
// go there, all others to `details`, so that no layout loses data.
import { json } from '../json.ts'
import { type ActionProjection, ledger } from '../projection.ts'

type Members = Readonly<Record<string, unknown>>

/** Converts a member to its column's type, by the member's name; undefined when it does not fit. */
const COLUMNS = new Map<string, (value: unknown) => string | bigint | Uint8Array | undefined>([
  ['relayer', (value) => (typeof value === 'string' ? value : undefined)],
  ['nonce', unsigned64],
  ['proof', (value) => (value instanceof Uint8Array ? value : undefined)],
])

export const gatewayCredit: ActionProjection<{ credit: Members }, 'credit'> = {
  contract: 'gateway',
  action: 'credit',
  rows: (a, at, account, context) => {
    const columns: Record<string, unknown> = {}
    const details: [string, unknown][] = []
    for (const [name, value] of Object.entries(a)) {
      const fitting = COLUMNS.get(name)?.(value)
      if (fitting === undefined) details.push([name, json(value)])
      else columns[name] = fitting
    }
    const domain = context.gatewayDomains.get(account)
    const row = { account, domain, ...columns, details: details.length > 0 ? Object.fromEntries(details) : undefined }
    return { ledger: [ledger('gateway_credits', at, row)] }
  },
}

function unsigned64(value: unknown): bigint | undefined {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return undefined
  const wide = BigInt(value as bigint | number)
  return BigInt.asUintN(64, wide) === wide ? wide : undefined
}
