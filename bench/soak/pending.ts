// What is pending at the end of a long run: each entry that has waited for a while must be open, refused with a reason, or
// left with a reason. Otherwise the relayer has forgotten it.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { BridgeApi } from '../../relay/bridge-api.ts'
import { connected } from './database.ts'

/** Keys of all entries that the bridge API lists. */
export async function pendingKeys(url: string): Promise<Set<string>> {
  const work = await new BridgeApi(`${url}/api/bridge/v1`, new AbortController().signal).pending()
  return new Set(Object.values(work).flatMap((list: { key: string }[]) => list.map(({ key }) => key)))
}

/** Legs that a log says are left by the settings. @param lines  of JSON */
export async function leftLegs(lines: AsyncIterable<string> | Iterable<string>): Promise<Set<string>> {
  const legs = new Set<string>()
  for await (const line of lines) {
    const leg = /"leg":"([^"]+)".*"msg":"(?:relayer: )?left"/.exec(line)?.[1]
    if (leg !== undefined) legs.add(leg)
  }
  return legs
}

/** Entries that were pending before, are pending now, and of which nothing is known. */
export function unexplained(
  before: ReadonlySet<string>,
  now: ReadonlySet<string>,
  known: ReadonlySet<string>,
): string[] {
  return [...now].filter((key) => before.has(key) && !known.has(key))
}

/** Prints what is pending. @returns whether all of it is explained @param before  keys some minutes ago */
export async function explained(url: string, databaseUrl: string, log: string, before: ReadonlySet<string>) {
  const now = await pendingKeys(url)
  const left = await leftLegs(createInterface(createReadStream(log)))
  const { rows } = await connected(databaseUrl, (client) =>
    client.query<{ leg: string }>(`select leg from relay.refusals
      union select leg from relay.intents where state in ('intended', 'sent', 'mined')`),
  )
  const missing = unexplained(before, now, new Set([...left, ...rows.map(({ leg }) => leg)]))
  console.log(`  pending ${now.size}, of these without a reason ${missing.length} ${missing.slice(0, 10).join(' ')}`)
  return missing.length === 0
}
