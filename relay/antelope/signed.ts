// A signed transaction as one value, the chain's own `packed_transaction` without compression: the journal stores it, so
// that a transaction is signed once and the same bytes are sent each time.
import { Bytes, PackedTransaction, Serializer, Signature } from '@wharfkit/antelope'

export interface SignedBytes {
  /** The transaction without signatures; its sha256 is the id. */
  packed: Uint8Array
  /** `SIG_K1_...` */
  signature: string
}

export function toBytes({ packed, signature }: SignedBytes): Uint8Array {
  const object = PackedTransaction.from({
    signatures: [Signature.from(signature)],
    compression: 0,
    packed_context_free_data: Bytes.from(''),
    packed_trx: Bytes.from(packed),
  })
  return Serializer.encode({ object }).array
}

/** @throws Error for bytes that are no signed transaction */
export function fromBytes(raw: Uint8Array): SignedBytes {
  const { signatures, packed_trx } = Serializer.decode({ data: raw, type: PackedTransaction })
  const [signature] = signatures
  if (signature === undefined) throw new Error('the stored transaction has no signature')
  return { packed: packed_trx.array, signature: String(signature) }
}
