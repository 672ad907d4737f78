// Sends requests to a cosigner from many addresses and measures its response times.
import { setTimeout as delay } from 'node:timers/promises'
import { HttpClient } from '../../test/cosign/http-client.ts'

const ADDRESSES = 250
/** Warm-up requests of each kind, so that the code is compiled before the measurement. */
const WARM_UP = 1000
/** Time until a line of the log has arrived, milliseconds. */
const LOG_MS = 100

export interface Sample {
  hex: string
  signature: string
}

export class Load {
  /** Number of signed transactions. */
  signed = 0
  /** Every fiftieth signature. */
  readonly samples: Sample[] = []
  private readonly client: HttpClient

  /** @param url  address of the cosigner */
  constructor(url: string) {
    this.client = new HttpClient(url)
  }

  /** @returns response time in milliseconds @throws Error for an unexpected answer */
  async ask(hex: string, expected = 201, address = anyAddress()): Promise<number> {
    const sent = JSON.stringify({ serializedTransaction: hex })
    const started = performance.now()
    const { status, body } = await this.client.post('/api/v2/cpu/cosign', sent, address)
    const ms = performance.now() - started
    if (status !== expected) throw new Error(`${status} ${body}`)
    if (status === 201 && ++this.signed % 50 === 0) this.samples.push({ hex, signature: JSON.parse(body).signature })
    return ms
  }

  /** Sends with `count` concurrent requests, each after the answer to the one before. */
  async atOnce(hexes: readonly string[], count: number): Promise<number[]> {
    const times: number[] = []
    let next = 0
    const work = async () => {
      while (next < hexes.length) times.push(await this.ask(hexes[next++] as string))
    }
    await Promise.all(Array.from({ length: count }, work))
    return times
  }

  /** Sends at a fixed rate. Times count from when the request was due. */
  async paced(hexes: readonly string[], perSecond: number, expected = 201): Promise<number[]> {
    const start = performance.now()
    const pending: Promise<number>[] = []
    for (const [i, hex] of hexes.entries()) {
      const due = start + (i * 1000) / perSecond
      const early = due - performance.now()
      if (early > 1) await delay(early)
      const late = Math.max(0, performance.now() - due)
      pending.push(this.ask(hex, expected).then((ms) => ms + late))
    }
    return await Promise.all(pending)
  }

  /** Sends requests one at a time. @param took  the cosigner's own times @returns figures of both */
  async refused(made: string | (() => string), count: number, took: number[], address?: string): Promise<string> {
    const next = typeof made === 'string' ? () => made : made
    for (let i = 0; i < WARM_UP; i++) await this.ask(next(), 400, address)
    await delay(LOG_MS)
    took.length = 0
    const times: number[] = []
    for (let i = 0; i < count; i++) times.push(await this.ask(next(), 400, address))
    await delay(LOG_MS)
    return `${figures(times)}; of it in the cosigner ${figures(took)}`
  }

  close(): void {
    this.client.close()
  }
}

function anyAddress(): string {
  const part = () => Math.floor(Math.random() * ADDRESSES)
  return `10.${part()}.${part()}.${part()}`
}

export function figures(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] as number).toFixed(2)
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)} ms`
}
