// Reads metrics as Prometheus does: each target at each interval, with `up`, the labels `job` and `instance`, and a mark
// where a series is gone.
import { setTimeout as delay } from 'node:timers/promises'
import { SCRAPE_SECONDS } from './record.ts'

/** Time limit of a scrape, ms, as Prometheus has it. */
const SCRAPE_MS = 10_000

export interface Target {
  job: string
  instance: string
  /** Address of the process; null once service discovery knows no target. */
  url: () => string | null
}

export class Scraper {
  readonly series: Record<string, (number | null)[]> = {}
  /** Unix seconds of the first scrape. */
  start = 0
  scrapes = 0
  readonly #targets: readonly Target[]
  readonly #names: ReadonlySet<string>

  /** @param names  metrics to keep */
  constructor(targets: readonly Target[], names: ReadonlySet<string>) {
    this.#targets = targets
    this.#names = names
  }

  /** Scrapes for some time, and after each interval once more. */
  async run(seconds: number): Promise<void> {
    const count = seconds / SCRAPE_SECONDS
    if (this.scrapes === 0) this.start = Math.floor(Date.now() / 1000)
    for (let i = 0; i < count; i++) {
      const due = (this.start + this.scrapes * SCRAPE_SECONDS) * 1000
      await delay(Math.max(0, due - Date.now()))
      await this.#scrape()
    }
  }

  async #scrape(): Promise<void> {
    const found = await Promise.all(this.#targets.map((target) => samplesOf(target)))
    for (const [series, value] of found.flat()) {
      if (!this.#names.has(series.slice(0, series.indexOf('{')))) continue
      const values = (this.series[series] ??= [])
      while (values.length < this.scrapes) values.push(null)
      values.push(value)
    }
    this.scrapes++
    for (const values of Object.values(this.series)) if (values.length < this.scrapes) values.push(null)
  }
}

/** Samples of a target, with `up`; none without a target. */
async function samplesOf({ job, instance, url }: Target): Promise<[series: string, value: number][]> {
  const address = url()
  if (address === null) return []
  const own = `instance="${instance}",job="${job}"`
  const answer = await fetch(`${address}/metrics`, { signal: AbortSignal.timeout(SCRAPE_MS) })
    .then((response) => (response.ok ? response.text() : null))
    .catch(() => null)
  if (answer === null) return [[`up{${own}}`, 0]]
  const lines = answer.matchAll(/^([a-zA-Z_]\w*)(?:\{(.*)\})? (\S+)$/gm)
  const samples = [...lines].map(([, name, labels, value]): [string, number] => [
    `${name}{${[labels, own].filter(Boolean).join(',')}}`,
    Number(value),
  ])
  return [...samples, [`up{${own}}`, 1]]
}
