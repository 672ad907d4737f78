// The key for EVM chains: read from a file of its owner, signs transactions of type 2. No message has any of its content.
import { computeAddress, SigningKey, Transaction } from 'ethers'
import { UserError } from '../../core/errors.ts'
import { readSecretFile } from '../../net/secret-file.ts'
import type { Fees } from '../choice/fees.ts'

const MAX_BYTES = 256

export interface UnsignedTransaction extends Fees {
  chainId: number
  nonce: number
  to: string
  data: string
  gasLimit: bigint
}

export class EvmKey {
  /** In lower case. */
  readonly address: string
  readonly #key: SigningKey

  private constructor(key: SigningKey) {
    this.#key = key
    this.address = computeAddress(key.publicKey).toLowerCase()
  }

  /** @param path  file with 64 hex digits, with or without 0x @throws UserError RELAY_KEY_FILE, RELAY_KEY_INVALID */
  static read(path: string): EvmKey {
    const text = secretText(path, 'relay.evmKeyFile')
    const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text)?.[1]
    try {
      if (digits !== undefined) return new EvmKey(new SigningKey(`0x${digits}`))
    } catch {
      // The library's message is dropped: it may quote the content.
    }
    throw new UserError('RELAY_KEY_INVALID', `${path} does not hold a private key`, {
      hint: 'one line: 64 hex digits, with or without 0x',
    })
  }

  sign(transaction: UnsignedTransaction): { hash: string; raw: Uint8Array } {
    const { maxFee, maxTip, ...rest } = transaction
    const unsigned = Transaction.from({
      ...rest,
      type: 2,
      value: 0,
      maxFeePerGas: maxFee,
      maxPriorityFeePerGas: maxTip,
    })
    unsigned.signature = this.#key.sign(unsigned.unsignedHash)
    return { hash: unsigned.hash ?? '', raw: Buffer.from(unsigned.serialized.slice(2), 'hex') }
  }
}

/** Text of a key file that only its owner can read. @param setting  that names it @throws UserError RELAY_KEY_FILE */
export function secretText(path: string, setting: string): string {
  const found = readSecretFile(path, MAX_BYTES)
  if ('text' in found) return found.text
  const problems = {
    closed: `cannot be opened: ${found.code}`,
    'no-file': 'is not a file with a key',
    'open-to-others': 'may be read by others than its owner',
  }
  throw new UserError('RELAY_KEY_FILE', `the key file ${path} ${problems[found.problem]}`, {
    hint: `${setting} names a file with one line, of the user that runs this process: chmod 600 ${path}`,
  })
}
