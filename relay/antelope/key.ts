// The key for Antelope chains: read from a file of its owner, signs packed transactions. No message has any of its content.
import { Checksum256, KeyType, PrivateKey } from '@wharfkit/antelope'
import type { RelayConfig } from '../../config/relay-schema.ts'
import { UserError } from '../../core/errors.ts'
import { sha256 } from '../../core/sha256.ts'
import { secretText } from '../evm/key.ts'

const NO_CONTEXT_FREE_DATA = new Uint8Array(32)

/** The permission of the key, which has no default. @throws UserError RELAY_PERMISSION */
export function requirePermission({ permission, account }: Pick<RelayConfig, 'permission' | 'account'>): string {
  if (permission !== undefined) return permission
  throw new UserError('RELAY_PERMISSION', `the permission of ${account} that the key belongs to is not set`, {
    hint: 'make a permission that is linked to the actions of the bridge only, not `active`, and set relay.permission to it (docs/operate/relayer.md)',
  })
}

export class AntelopeKey {
  /** `PUB_K1_...` */
  readonly publicKey: string
  readonly #key: PrivateKey

  private constructor(key: PrivateKey) {
    this.#key = key
    this.publicKey = String(key.toPublic())
  }

  /** @param path  file with a K1 key in either text form @throws UserError RELAY_KEY_FILE, RELAY_KEY_INVALID */
  static read(path: string): AntelopeKey {
    const text = secretText(path, 'relay.antelopeKeyFile')
    try {
      const key = PrivateKey.from(text)
      if (key.type === KeyType.K1) return new AntelopeKey(key)
    } catch {
      // The library's message is dropped: it quotes the content.
    }
    throw new UserError('RELAY_KEY_INVALID', `${path} does not hold a private key`, {
      hint: 'one line: a key of type K1, PVT_K1_... or its older form',
    })
  }

  /** @param chainId  32 bytes @returns `SIG_K1_...` */
  sign(chainId: Uint8Array, packed: Uint8Array): string {
    const digest = sha256(Buffer.concat([chainId, packed, NO_CONTEXT_FREE_DATA]))
    return String(this.#key.signDigest(Checksum256.from(digest)))
  }
}
