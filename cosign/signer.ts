// Signs transactions with the payer's key. The key stays in this object and is never printed.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type PrivateKey, Signature } from '@wharfkit/antelope'
import { sha256 } from '../core/sha256.ts'

const NO_CONTEXT_FREE_DATA = new Uint8Array(32)
/** Added to the recovery number to mark a compressed key. */
const COMPRESSED = 31

/** Signs packed transactions. */
export interface Signs {
  /** `PUB_K1_...` */
  readonly publicKey: string
  /** Deterministic signature of a packed transaction, `SIG_K1_...`. */
  sign(packed: Uint8Array): string | Promise<string>
}

export class Signer implements Signs {
  /** `PUB_K1_...` */
  readonly publicKey: string
  readonly #secret: Uint8Array
  readonly #chainId: Uint8Array

  constructor(key: PrivateKey, chainId: Uint8Array) {
    this.publicKey = String(key.toPublic())
    this.#secret = key.data.array
    this.#chainId = chainId
  }

  /** Deterministic: the same bytes give the same signature, `SIG_K1_...`. */
  sign(packed: Uint8Array): string {
    const digest = sha256(Buffer.concat([this.#chainId, packed, NO_CONTEXT_FREE_DATA]))
    // Nodes reject half of all signatures as non-canonical. The next attempt derives its nonce from a counter, not from
    // chance.
    for (let attempt = 0; ; attempt++) {
      const extraEntropy = attempt === 0 ? false : counter(attempt)
      const made = secp256k1.sign(digest, this.#secret, {
        prehash: false,
        format: 'recovered',
        lowS: true,
        extraEntropy,
      })
      if (isCanonical(made)) return textOf(made)
    }
  }

  toJSON(): object {
    return { publicKey: this.publicKey }
  }
}

function counter(value: number): Uint8Array {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

/** Canonical: neither half starts with a set high bit or with a superfluous zero byte. */
function isCanonical(signature: Uint8Array): boolean {
  return [1, 33].every((at) => {
    const [first, second] = [signature[at] as number, signature[at + 1] as number]
    return first < 0x80 && !(first === 0 && second < 0x80)
  })
}

function textOf(signature: Uint8Array): string {
  const data = signature.slice()
  data[0] = (data[0] as number) + COMPRESSED
  return String(
    Signature.from({
      type: 'K1',
      r: data.subarray(1, 33),
      s: data.subarray(33),
      recid: data[0] - COMPRESSED,
    }),
  )
}
