// Decodes state-history messages with @wharfkit/antelope and the protocol's own ABI: an oracle that shares no code with
// the devnet.

import { readFileSync } from 'node:fs'
import { ABI, Serializer } from '@wharfkit/antelope'

const text = readFileSync(new URL('../../devnet/ship/ship-abi.json', import.meta.url), 'utf8')
const abi = ABI.from(text)

/** Converts to plain objects: names, checksums and 64-bit numbers as text, bytes as hex. */
// biome-ignore lint/suspicious/noExplicitAny: the ABI defines the shapes
export type Plain = any

function decodeShip(type: string, data: Uint8Array | string): Plain {
  return JSON.parse(JSON.stringify(Serializer.decode({ data, type, abi })))
}

export function encodeShip(type: string, object: unknown): Uint8Array {
  return Serializer.encode({ object: object as never, type, abi }).array
}

/** A result message whose payloads are decoded too. */
export function decodeResult(message: Uint8Array): Plain {
  const [kind, result] = decodeShip('result', message)
  if (!kind.startsWith('get_blocks_result')) return { kind, ...result }
  const inner = (type: string, bytes: string | null | undefined) => (bytes ? decodeShip(type, bytes) : null)
  return {
    kind,
    ...result,
    block: inner('signed_block', result.block),
    traces: inner('transaction_trace[]', result.traces),
    deltas: inner('table_delta[]', result.deltas)?.map(decodeRows),
    finality_data: inner('finality_data', result.finality_data),
    raw: result,
  }
}

/** Rows of a delta table with decoded data: `[variant, fields]`. */
function decodeRows([kind, { name, rows }]: Plain): Plain {
  return [kind, { name, rows: rows.map(({ present, data }: Plain) => ({ present, data: decodeShip(name, data) })) }]
}
