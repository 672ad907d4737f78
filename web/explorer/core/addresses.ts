// Addresses of the explorer's pages. Pure. The chain is the first part of the path, unless it is the chain of the host.
import { readWhole } from '../../shared/amounts.ts'

export const KINDS = [
  'markets',
  'tokens',
  'trades',
  'chains',
  'search',
  'pool',
  'market',
  'token',
  'account',
  'tx',
  'block',
  'transfer',
  'operator',
] as const
export type Kind = (typeof KINDS)[number]

/** The bridge's own page, for all chains. */
export const BRIDGE_PATH = '/v/wax/bridge'
export const OPERATOR_PATH = '/bridge/operator'
/** Pages without an id, with their paths. */
const LISTS: Record<string, Kind> = {
  '/': 'markets',
  '/tokens': 'tokens',
  '/trades': 'trades',
  '/chains': 'chains',
  '/search': 'search',
  [OPERATOR_PATH]: 'operator',
}
/** Key of a bridge transfer: a leg's key in the bridge API. */
const TRANSFER = /^(d:\d{1,20}:\d{1,20}|w:\d{1,20})$/
/** What an id of each kind looks like. */
const IDS: Record<string, RegExp> = {
  pool: /^\d{1,15}$/,
  market: /^\d{1,15}$/,
  token: /^[a-z0-9]{1,12}-[a-z1-5.]{1,13}$/i,
  account: /^[a-z1-5.]{1,13}$/,
  tx: /^[0-9a-f]{64}$/i,
  block: /^(\d{1,10}|[0-9a-f]{64})$/i,
  transfer: TRANSFER,
}

export interface PageAddress {
  kind: Kind
  /** Empty for a list. */
  id: string
  /** Named by the path; null when the host decides. */
  chain: string | null
}

/**
 * Parses the path of a page.
 *
 * @param path  as in the address, without query
 * @param chains  names that a path can begin with
 * @returns null when no page has this path
 */
export function parsePath(path: string, chains: readonly string[]): PageAddress | null {
  const [first = ''] = path.slice(1).split('/')
  const chain = chains.includes(first) ? first : null
  const rest = (chain === null ? path : path.slice(first.length + 1)).replace(/(?<=.)\/+$/, '') || '/'
  const list = LISTS[rest]
  if (list !== undefined) return { kind: list, id: '', chain }
  const [, kind = '', coded = '', more] = rest.split('/')
  if (more !== undefined || !Object.hasOwn(IDS, kind)) return null
  const id = decoded(coded)
  return id !== null && IDS[kind]?.test(id) ? { kind: kind as Kind, id, chain } : null
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * Path of a page.
 *
 * @param prefix  `/telos`, or empty for the chain of the host
 */
export function pathOf(prefix: string, kind: Kind, id: string | number = ''): string {
  // A colon may stand in a path, and keys of transfers have them.
  if (id !== '') return `${prefix}/${kind}/${encodeURIComponent(id).replaceAll('%3A', ':')}`
  const list = Object.entries(LISTS).find(([, one]) => one === kind)?.[0] ?? '/'
  return list === '/' ? prefix || '/' : `${prefix}${list}`
}

export interface Guess {
  kind: Kind
  id: string
  label: string
}

/** Pages that a text in the search field can mean by its form alone. */
export function guesses(text: string): Guess[] {
  const word = text.trim()
  const found: Guess[] = []
  if (/^[0-9a-f]{64}$/i.test(word)) {
    const id = word.toLowerCase()
    found.push({ kind: 'tx', id, label: 'Transaction' })
    found.push({ kind: 'block', id, label: 'Block' })
    return found
  }
  if (TRANSFER.test(word)) return [{ kind: 'transfer', id: word, label: 'Bridge transfer' }]
  const number = readWhole(word.replace(/^#/, ''))
  if (number !== null && number.length <= 10) found.push({ kind: 'block', id: number, label: 'Block' })
  if (/^[a-z1-5.]{1,13}$/.test(word.toLowerCase()) && /[a-z]/i.test(word))
    found.push({ kind: 'account', id: word.toLowerCase(), label: 'Account' })
  return found
}
