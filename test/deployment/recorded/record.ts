// A record of metrics: what Prometheus would have scraped from real processes before and during a fault, stored for the
// test of the alerts. It has only the series that alert rules read.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

/** Seconds between two scrapes, as in config/prometheus. */
export const SCRAPE_SECONDS = 15

export interface AlertRecord {
  scene: string
  /** What was done to the processes. */
  fault: string
  /** Command, version and date. */
  made: string
  /** Number of scrapes before the fault; for a healthy record, all. */
  healthy: number
  /** Number of scrapes. */
  scrapes: number
  /** Unix seconds of the first scrape. */
  start: number
  /** Values by series, one for each scrape; null where the series was missing. */
  series: Record<string, (number | null)[]>
}

const FOLDER = join(import.meta.dirname, '../../fixtures/alerts')

const pathOf = (scene: string): string => join(FOLDER, `${scene}.json.gz`)

export function readRecord(scene: string): AlertRecord {
  return JSON.parse(gunzipSync(readFileSync(pathOf(scene))).toString())
}

export function writeRecord(record: AlertRecord): void {
  writeFileSync(pathOf(record.scene), gzipSync(JSON.stringify(record), { level: 9 }))
}
