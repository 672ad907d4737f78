// One look at a long run, each minute.
import { type DatabaseFigures, databaseFigures, relayed } from './database.ts'
import type { Api, Demo } from './programs.ts'
import type { FactReader, MarketReader, ReaderFigures } from './readers.ts'
import type { RequestFigures, Requests } from './requests.ts'

export interface Sample {
  minute: number
  /** Resident memory of the demo's process, of the second API and of the relayer, MB. */
  demoMb: number
  apiMb: number
  relayMb: number
  /** Largest age of the last block of a chain, seconds. */
  lag: number
  requests: RequestFigures
  database: DatabaseFigures
  bytesPerRow: number
  relayed: Record<string, number>
  readers: ReaderFigures
}

interface Sources {
  minute: number
  demo: Demo
  api: Api
  requests: Requests
  readers: readonly (MarketReader | FactReader)[]
}

export async function sampleOf({ minute, demo, api, requests, readers }: Sources): Promise<Sample> {
  const [ours, other] = await Promise.all([metricsOf(demo.url), metricsOf(api.url)])
  const database = await databaseFigures(demo.databaseUrl)
  const mb = (text: string) => Math.round(Math.max(0, ...valuesOf(text, 'process_resident_memory_bytes')) / 1e6)
  return {
    minute,
    demoMb: mb(ours),
    apiMb: mb(other),
    relayMb: demo.relayerMb(),
    lag: Math.round(Math.max(0, ...valuesOf(ours, 'headwater_lag_seconds'))),
    requests: requests.take(),
    database,
    bytesPerRow: Math.round(database.bytes / Math.max(1, database.rows)),
    relayed: await relayed(demo.databaseUrl),
    readers: readers.map((reader) => reader.take()).reduce(sum),
  }
}

/** Empty while the process starts. */
async function metricsOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/metrics`).catch(() => null)
  return answer?.ok ? await answer.text() : ''
}

function valuesOf(text: string, name: string): number[] {
  return [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value))
}

function sum(a: ReaderFigures, b: ReaderFigures): ReaderFigures {
  return {
    messages: a.messages + b.messages,
    breaks: a.breaks + b.breaks,
    undone: a.undone + b.undone,
    wrong: a.wrong + b.wrong,
  }
}
