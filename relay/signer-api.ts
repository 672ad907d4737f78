// A signer over HTTP: a program that holds a key and signs what the relayer sends it. It is not trusted with the result:
// each signature is checked against the key and the bytes before anything is sent.
import { RetryableError } from '../core/errors.ts'
import { HttpError, request, withoutSecrets } from '../net/http.ts'
import { SIGNER_WRONG } from './choice/refusal.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1 << 20

export class SignerApi {
  readonly #url: string
  readonly #signal: AbortSignal

  /** @param url  without a path */
  constructor(url: string, signal: AbortSignal) {
    this.#url = url.replace(/\/+$/, '')
    this.#signal = signal
  }

  /** @param body  sent as JSON; without it GET @returns the text of a 200 @throws RetryableError RELAY_SIGNER */
  async ask(path: string, body?: object): Promise<string> {
    const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal: this.#signal, redirect: 'error' } as const
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    try {
      const { status, text } = await request(`${this.#url}${path}`, { ...bounds, ...sent })
      if (status >= 200 && status < 300) return text.trim()
      throw this.#unusable(`status ${status} ${text.slice(0, 200)}`)
    } catch (error) {
      throw error instanceof HttpError ? this.#unusable(error.message, error) : error
    }
  }

  /** An answer that is no signature of the key for these bytes. Nothing is sent with it. */
  wrong(what: string): RetryableError {
    return new RetryableError('RELAY_SIGNER_WRONG', `${SIGNER_WRONG}: ${this.#name} ${what}`, {
      hint: 'the signer is not what relay.evmSigner or relay.antelopeSigner should name, or it does not have the key',
    })
  }

  #unusable(what: string, cause?: unknown): RetryableError {
    return new RetryableError('RELAY_SIGNER', `${this.#name} does not sign: ${what}`, {
      hint: 'relay.evmSigner and relay.antelopeSigner name signers that this machine reaches; a wallet of keosd must be unlocked',
      cause,
    })
  }

  get #name(): string {
    return `the signer at ${withoutSecrets(this.#url)}`
  }
}

/** Whether an error is about a signer, not about what is signed. */
export function isSignerError(error: unknown): boolean {
  return error instanceof RetryableError && (error.code === 'RELAY_SIGNER' || error.code === 'RELAY_SIGNER_WRONG')
}
