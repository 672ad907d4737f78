// The key for EVM chains, from a file of its owner or at a signer. It signs transactions of type 2.
import { computeAddress, Signature, SigningKey, Transaction } from 'ethers'
import { UserError } from '../../core/errors.ts'
import { readSecretFile } from '../../net/secret-file.ts'
import type { Fees } from '../choice/fees.ts'
import { invalidKey, keyFileError } from '../key-file.ts'
import { SignerApi } from '../signer-api.ts'

const MAX_BYTES = 256

export interface UnsignedTransaction extends Fees {
  chainId: number
  nonce: number
  to: string
  data: string
  gasLimit: bigint
}

export interface SignedTransaction {
  hash: string
  raw: Uint8Array
}

export interface EvmSigner {
  /** In lower case. */
  readonly address: string
  /** @throws RetryableError RELAY_SIGNER, RELAY_SIGNER_WRONG */
  sign(transaction: UnsignedTransaction): Promise<SignedTransaction>
}

function unsignedOf({ maxFee, maxTip, ...rest }: UnsignedTransaction): Transaction {
  return Transaction.from({ ...rest, type: 2, value: 0, maxFeePerGas: maxFee, maxPriorityFeePerGas: maxTip })
}

function signedOf(transaction: Transaction): SignedTransaction {
  return { hash: transaction.hash ?? '', raw: Buffer.from(transaction.serialized.slice(2), 'hex') }
}

export class EvmKey implements EvmSigner {
  readonly address: string
  readonly #key: SigningKey

  private constructor(key: SigningKey) {
    this.#key = key
    this.address = computeAddress(key.publicKey).toLowerCase()
  }

  /** @param path  file with 64 hex digits, with or without 0x @throws UserError RELAY_KEY_FILE, RELAY_KEY_INVALID */
  static read(path: string): EvmKey {
    const found = readSecretFile(path, MAX_BYTES)
    if (!('text' in found)) throw keyFileError(path, found, 'relay.evmKeyFile')
    const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(found.text)?.[1]
    try {
      if (digits !== undefined) return new EvmKey(new SigningKey(`0x${digits}`))
    } catch {
      // The library's message is dropped: it may quote the content.
    }
    throw invalidKey(path, 'one line: 64 hex digits, with or without 0x')
  }

  async sign(transaction: UnsignedTransaction): Promise<SignedTransaction> {
    const made = unsignedOf(transaction)
    made.signature = this.#key.sign(made.unsignedHash)
    return signedOf(made)
  }
}

/** A key at Web3Signer, or at a program with the same paths `/api/v1/eth1/publicKeys` and `/api/v1/eth1/sign/<key>`. */
export class Web3SignerKey implements EvmSigner {
  readonly address: string
  /** As the signer lists it. */
  readonly #publicKey: string
  readonly #api: SignerApi

  private constructor(api: SignerApi, address: string, publicKey: string) {
    this.#api = api
    this.address = address
    this.#publicKey = publicKey
  }

  /** Asks the signer for the key of an address. @throws UserError RELAY_SIGNER_KEY; RetryableError RELAY_SIGNER */
  static async open(url: string, address: string | undefined, signal: AbortSignal): Promise<Web3SignerKey> {
    if (address === undefined)
      throw new UserError('RELAY_SIGNER_KEY', 'relay.evmAddress is not set', {
        hint: 'a signer may have several keys: set relay.evmAddress to the address of the relayer’s own',
      })
    const api = new SignerApi(url, signal)
    const keys = listOf(await api.ask('/api/v1/eth1/publicKeys'))
    const publicKey = keys.find((key) => addressOf(key) === address.toLowerCase())
    if (publicKey !== undefined) return new Web3SignerKey(api, address.toLowerCase(), publicKey)
    throw new UserError('RELAY_SIGNER_KEY', `the signer has no key of ${address} among its ${keys.length}`, {
      hint: 'load the key into the signer, or correct relay.evmAddress',
    })
  }

  async sign(transaction: UnsignedTransaction): Promise<SignedTransaction> {
    const made = unsignedOf(transaction)
    // The signer hashes the data with keccak256, which is what a chain recovers the sender from.
    const data = { data: made.unsignedSerialized }
    const text = await this.#api.ask(`/api/v1/eth1/sign/${encodeURIComponent(this.#publicKey)}`, data)
    const signature = signatureOf(text)
    if (signature === null) throw this.#api.wrong('answers with no signature')
    made.signature = signature
    const sender = senderOf(made)
    if (sender === this.address) return signedOf(made)
    throw this.#api.wrong(`answers with a signature of ${sender} for these bytes, not of ${this.address}`)
  }
}

function listOf(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.map(String) : []
  } catch {
    return []
  }
}

/** @param publicKey  64 bytes or 65 with 04 first, hex digits with or without 0x @returns null for any other text */
function addressOf(publicKey: string): string | null {
  const point = /^(?:0x)?(?:04)?([0-9a-fA-F]{128})$/.exec(publicKey)?.[1]
  try {
    return point === undefined ? null : computeAddress(`0x04${point}`).toLowerCase()
  } catch {
    return null
  }
}

function signatureOf(text: string): Signature | null {
  const digits = /^"?0x([0-9a-fA-F]{130})"?$/.exec(text)?.[1]
  try {
    return digits === undefined ? null : Signature.from(`0x${digits}`)
  } catch {
    return null
  }
}

function senderOf(signed: Transaction): string {
  try {
    return signed.from?.toLowerCase() ?? 'no key'
  } catch {
    return 'no key'
  }
}
