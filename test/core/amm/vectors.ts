// Recorded results of the contract in test/fixtures/amm.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** @returns the parsed file; wide integers are decimal text */
// biome-ignore lint/suspicious/noExplicitAny: recorded JSON has no types
export function vectors(name: string): any {
  const file = new URL(`../../fixtures/amm/${name}.json.gz`, import.meta.url)
  return JSON.parse(gunzipSync(readFileSync(file)).toString())
}
