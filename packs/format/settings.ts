// The settings that determine a chain's rows. The publisher stores them in the manifest; a database that is filled with
// other settings would go on with other rows.
import { UserError } from '../../core/errors.ts'
import type { FinalityOptions, IndexOptions } from '../../indexer/run.ts'

export interface ChainSettings
  extends Pick<IndexOptions, 'accounts' | 'systemAccount' | 'tokenContracts' | 'valuation'> {
  /** As in the chain's indexer; undefined when no data for proofs are kept. */
  finality?: Pick<FinalityOptions, 'bridge' | 'legacy'>
}

/** The settings as JSON: wide integers as text, maps and sets as sorted lists, members in the order of their names. */
export function settingsJson({ accounts, systemAccount, tokenContracts, valuation, finality }: ChainSettings) {
  const { bridge, legacy = false } = finality ?? {}
  const settings = { accounts, systemAccount, tokenContracts, valuation, finality: finality && { bridge, legacy } }
  return plain(settings) as Record<string, unknown>
}

/** @throws UserError PACK_OTHER_SETTINGS */
export function checkSettings(chain: string, ofPack: Record<string, unknown>, own: Record<string, unknown>): void {
  const names = [...new Set([...Object.keys(ofPack), ...Object.keys(own)])].sort()
  const differing = names.filter((name) => text(ofPack[name]) !== text(own[name]))
  if (differing.length === 0) return
  const [name] = differing as [string]
  throw new UserError(
    'PACK_OTHER_SETTINGS',
    `${chain}: the pack was made with other settings: ${differing.join(', ')}; ${name} is ${text(ofPack[name])} there, ${text(own[name])} here`,
    { hint: `set them in config/${chain}.json as in the pack, or index the chain from a node`, place: { chain } },
  )
}

function text(value: unknown): string {
  return JSON.stringify(plain(value)) ?? 'not set'
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Set) return [...value].map(plain).sort()
  if (value instanceof Map) return [...value].map(plain).sort((a, b) => (text(a) < text(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, plain(member)]))
}
