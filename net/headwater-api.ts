// The digests of another instance, over its API.
import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'
import { DigestSummary, Digests, Rows } from '../core/compare/answers.ts'
import type { BlockRange } from '../core/compare/ranges.ts'
import type { BlockRows, RangeDigest, Side, Summary } from '../core/compare/side.ts'
import { RetryableError, UserError } from '../core/errors.ts'
import { HttpError, request, withoutSecrets, withoutTrailingSlash } from './http.ts'

const TIMEOUT_MS = 30_000
const MAX_BYTES = 16 * 2 ** 20
const ATTEMPTS = 4
const PAUSE_MS = 500

export class ApiSide implements Side {
  readonly name: string
  readonly #url: string

  /**
   * @param url  address of the instance; its host chooses the chain
   * @throws UserError COMPARE_ADDRESS
   */
  constructor(url: string) {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url))
      throw new UserError('COMPARE_ADDRESS', `${JSON.stringify(url)} is no address of an instance`, {
        hint: 'http(s)://HOST:PORT, with the host of the chain',
      })
    this.#url = withoutTrailingSlash(url)
    this.name = withoutSecrets(url)
  }

  async summary(): Promise<Summary> {
    return await this.#get('', DigestSummary)
  }

  async digests({ from, to }: BlockRange): Promise<RangeDigest[]> {
    return await this.#get(`/ranges?from=${from}&to=${to}`, Digests)
  }

  async rows(table: string, block: number): Promise<BlockRows> {
    return await this.#get(`/rows?table=${encodeURIComponent(table)}&block=${block}`, Rows)
  }

  /**
   * @throws UserError COMPARE_OLDER, COMPARE_NOT_READY, COMPARE_REFUSED, COMPARE_ANSWER; RetryableError
   *   COMPARE_UNREACHABLE
   */
  async #get<T extends TSchema>(path: string, schema: T): Promise<Static<T>> {
    for (let attempt = 1; ; attempt++) {
      const { status, text } = await this.#send(path)
      if (status === 200) return this.#parse(text, schema)
      if (status !== 429 && status !== 503) throw this.#refusal(status, text, path)
      if (attempt === ATTEMPTS)
        throw new RetryableError('COMPARE_UNREACHABLE', `${this.name} answers ${status}`, { hint: 'try again later' })
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** attempt))
    }
  }

  /** @throws UserError COMPARE_ANSWER */
  #parse<T extends TSchema>(text: string, schema: T): Static<T> {
    const value = jsonOf(text)
    if (Value.Check(schema, value)) return value
    throw new UserError('COMPARE_ANSWER', `${this.name} sends no digests, but ${JSON.stringify(text.slice(0, 100))}`, {
      hint: 'check the address: it must be the one of the API, and the program of the same version',
    })
  }

  #refusal(status: number, text: string, path: string): UserError {
    if (status === 409)
      return new UserError('COMPARE_NOT_READY', `${this.name}: ${messageOf(text)}`, {
        hint: 'compare when that instance has filled the chain',
      })
    if (status === 404 && path === '')
      return new UserError('COMPARE_OLDER', `${this.name} has no digests: ${messageOf(text)}`, {
        hint: 'its program is older, or the address is not of a host of the chain: it must be the one of the API',
      })
    return new UserError('COMPARE_REFUSED', `${this.name} answers ${status}: ${messageOf(text)}`, {
      hint: 'check the address',
    })
  }

  async #send(path: string): Promise<{ status: number; text: string }> {
    try {
      return await request(`${this.#url}/api/v3/digests${path}`, {
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      })
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      throw new RetryableError('COMPARE_UNREACHABLE', `${this.name}: ${error.message}`, {
        hint: 'check the address and the network',
        cause: error,
      })
    }
  }
}

/** Undefined for a text that is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The message of an error response, or the beginning of another body. */
function messageOf(text: string): string {
  const { message = text } = (jsonOf(text) ?? {}) as { message?: unknown }
  return String(message).slice(0, 200)
}
