// Block headers: their RLP and its hash, which is the block's id. Sources: Yellow Paper, section 4.3; EIP-1559 (base
// fee), EIP-4895 (withdrawals), EIP-4844 (blob gas), EIP-4788 (beacon root), EIP-7685 (requests): up to Prague.
import { DecodeError } from '../errors.ts'
import { fromPrefixedHex, integerBytes, quantity } from './bytes.ts'
import { keccak } from './keccak.ts'
import { encodeRlp } from './rlp.ts'

type Kind = number | 'integer' | 'bytes'

/** Members of every header, in the order of the RLP, each with its length in bytes or its kind. */
const BASE_FIELDS = {
  parentHash: 32,
  sha3Uncles: 32,
  miner: 20,
  stateRoot: 32,
  transactionsRoot: 32,
  receiptsRoot: 32,
  logsBloom: 256,
  difficulty: 'integer',
  number: 'integer',
  gasLimit: 'integer',
  gasUsed: 'integer',
  timestamp: 'integer',
  extraData: 'bytes',
  mixHash: 32,
  nonce: 8,
} as const satisfies Record<string, Kind>

/** Members added by forks, in order. A header that has one also has all before it. */
const FORK_FIELDS = {
  baseFeePerGas: 'integer',
  withdrawalsRoot: 32,
  blobGasUsed: 'integer',
  excessBlobGas: 'integer',
  parentBeaconBlockRoot: 32,
  requestsHash: 32,
} as const satisfies Record<string, Kind>

/** A header from `eth_getBlockByNumber`; other members are ignored. */
export type JsonHeader = Record<keyof typeof BASE_FIELDS | 'hash', string> &
  Partial<Record<keyof typeof FORK_FIELDS, string | null>>

/**
 * The RLP of a header.
 *
 * @throws DecodeError INVALID_HEX, HEADER_INVALID when a member is missing
 */
export function encodeHeader(header: JsonHeader): Uint8Array {
  const fields = Object.entries(BASE_FIELDS).map(([name, kind]) =>
    field(header[name as keyof typeof BASE_FIELDS], name, kind),
  )
  let missing: string | null = null
  for (const [name, kind] of Object.entries(FORK_FIELDS)) {
    const value = header[name as keyof typeof FORK_FIELDS]
    if (value === undefined || value === null) missing ??= name
    else if (missing !== null) throw new DecodeError('HEADER_INVALID', `the header has ${name} but no ${missing}`)
    else fields.push(field(value, name, kind))
  }
  return encodeRlp(fields)
}

/** The block's id: 32 bytes. @throws as `encodeHeader` */
export function headerHash(header: JsonHeader): Uint8Array {
  return keccak(encodeHeader(header))
}

function field(value: string | undefined, name: string, kind: Kind): Uint8Array {
  if (value === undefined || value === null) throw new DecodeError('HEADER_INVALID', `the header has no ${name}`)
  if (kind === 'integer') return integerBytes(quantity(value))
  return fromPrefixedHex(value, kind === 'bytes' ? undefined : kind)
}
