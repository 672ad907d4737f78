// The digests of another instance, over its API.
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
    return (await this.#get('')) as Summary
  }

  async digests({ from, to }: BlockRange): Promise<RangeDigest[]> {
    return (await this.#get(`/ranges?from=${from}&to=${to}`)) as RangeDigest[]
  }

  async rows(table: string, block: number): Promise<BlockRows> {
    return (await this.#get(`/rows?table=${encodeURIComponent(table)}&block=${block}`)) as BlockRows
  }

  /** @throws UserError COMPARE_OLDER, COMPARE_REFUSED; RetryableError COMPARE_UNREACHABLE */
  async #get(path: string): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      const { status, text } = await this.#send(path)
      if (status === 200) return JSON.parse(text)
      if (status === 404 && path === '')
        throw new UserError('COMPARE_OLDER', `${this.name} has no digests: ${text.slice(0, 200)}`, {
          hint: 'its program is older, or the address is not of a host of the chain: it must be the one of the API',
        })
      if (status !== 429 && status !== 503)
        throw new UserError('COMPARE_REFUSED', `${this.name} answers ${status}: ${text.slice(0, 200)}`, {
          hint: 'check the address',
        })
      if (attempt === ATTEMPTS)
        throw new RetryableError('COMPARE_UNREACHABLE', `${this.name} answers ${status}`, { hint: 'try again later' })
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** attempt))
    }
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
