// The key for Antelope chains, from a file of its owner or at a signer. It signs packed transactions.
import { Checksum256, type PrivateKey, PublicKey, Signature } from '@wharfkit/antelope'
import type { RelayConfig } from '../../config/relay-schema.ts'
import { UserError } from '../../core/errors.ts'
import { sha256 } from '../../core/sha256.ts'
import { readK1Key } from '../../net/k1-key-file.ts'
import { invalidKey, keyFileError } from '../key-file.ts'
import { SignerApi } from '../signer-api.ts'

const NO_CONTEXT_FREE_DATA = new Uint8Array(32)

/** The permission of the key, which has no default. @throws UserError RELAY_PERMISSION */
export function requirePermission({ permission, account }: Pick<RelayConfig, 'permission' | 'account'>): string {
  if (permission !== undefined) return permission
  throw new UserError('RELAY_PERMISSION', `the permission of ${account} that the key belongs to is not set`, {
    hint: 'make a permission that is linked to the actions of the bridge only, not `active`, and set relay.permission to it (docs/operate/relayer.md)',
  })
}

export interface AntelopeSigner {
  /** `PUB_K1_...` */
  readonly publicKey: string
  /** @param chainId  32 bytes @returns `SIG_K1_...` @throws RetryableError RELAY_SIGNER, RELAY_SIGNER_WRONG */
  sign(chainId: Uint8Array, packed: Uint8Array): Promise<string>
}

/** What a chain checks a signature against. */
function digestOf(chainId: Uint8Array, packed: Uint8Array): Checksum256 {
  return Checksum256.from(sha256(Buffer.concat([chainId, packed, NO_CONTEXT_FREE_DATA])))
}

export class AntelopeKey implements AntelopeSigner {
  readonly publicKey: string
  readonly #key: PrivateKey

  private constructor(key: PrivateKey) {
    this.#key = key
    this.publicKey = String(key.toPublic())
  }

  /** @param path  file with a K1 key in either text form @throws UserError RELAY_KEY_FILE, RELAY_KEY_INVALID */
  static read(path: string): AntelopeKey {
    const found = readK1Key(path)
    if ('key' in found) return new AntelopeKey(found.key)
    if (found.problem === 'no-key') throw invalidKey(path, 'one line: a key of type K1, PVT_K1_... or its older form')
    throw keyFileError(path, found, 'relay.antelopeKeyFile')
  }

  async sign(chainId: Uint8Array, packed: Uint8Array): Promise<string> {
    return String(this.#key.signDigest(digestOf(chainId, packed)))
  }
}

/** A key in a wallet of keosd, or of a program with the same call `sign_digest`. */
export class WalletKey implements AntelopeSigner {
  readonly publicKey: string
  /** As the wallet knows it. */
  readonly #text: string
  readonly #api: SignerApi

  private constructor(api: SignerApi, text: string, publicKey: string) {
    this.#api = api
    this.#text = text
    this.publicKey = publicKey
  }

  /** @param publicKey  `PUB_K1_...` or its older form @throws UserError RELAY_SIGNER_KEY */
  static open(url: string, publicKey: string | undefined, signal: AbortSignal): WalletKey {
    try {
      if (publicKey !== undefined)
        return new WalletKey(new SignerApi(url, signal), publicKey, String(PublicKey.from(publicKey)))
    } catch {
      // Its check sum is wrong, for example.
    }
    throw new UserError('RELAY_SIGNER_KEY', `relay.antelopePublicKey is ${publicKey ?? 'not set'}`, {
      hint: 'set it to the public key of the permission, PUB_K1_..., as the wallet lists it',
    })
  }

  async sign(chainId: Uint8Array, packed: Uint8Array): Promise<string> {
    const digest = digestOf(chainId, packed)
    const text = await this.#api.ask('/v1/wallet/sign_digest', [String(digest), this.#text])
    const signature = signatureOf(text)
    if (signature === null) throw this.#api.wrong('answers with no signature')
    const signer = recovered(signature, digest)
    if (signer === this.publicKey) return String(signature)
    throw this.#api.wrong(`answers with a signature of ${signer} for these bytes, not of ${this.publicKey}`)
  }
}

function signatureOf(text: string): Signature | null {
  try {
    return Signature.from(String(JSON.parse(text)))
  } catch {
    return null
  }
}

function recovered(signature: Signature, digest: Checksum256): string {
  try {
    return String(signature.recoverDigest(digest))
  } catch {
    return 'no key'
  }
}
