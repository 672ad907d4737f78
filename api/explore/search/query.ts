// Reads the text of a search: the forms that it can have, each with what is looked up for it.
import { type LegKey, parseLegKey } from '../../kit/leg-key.ts'

/** Limit of the text, characters: a ticker of two token ids is shorter. */
export const MAX_QUERY = 100

export interface SearchQuery {
  /** Words in lower case: one, or the two tokens of a pair. */
  words: readonly string[]
  /** Start of an account's name; null when no name can start so. */
  account: string | null
  /** Transaction id, or block id, 64 digits without `0x`; null for other texts. */
  hash: string | null
  /** Block: its number, and the digits with which its id starts (none when the text is a number). */
  block: { num: number; idStart: string } | null
  pool: number | null
  market: number | null
  leg: LegKey | null
}

const HASH = /^(?:0x)?([0-9a-f]{64})$/
/** A block id starts with the number of the block, 8 digits. */
const BLOCK_ID = /^([0-9a-f]{8})[0-9a-f]{0,56}$/
const NUMBER = /^\d{1,10}$/
const ACCOUNT = /^[a-z1-5.]{1,12}[a-j1-5.]?$/
/** Symbols of charts, as the chart API names pools and markets. */
const VENUE = /^(pool|market):(\d{1,10})$/

/** @param text  as typed; blanks around it are ignored, and so is case */
export function parseSearch(text: string): SearchQuery {
  const word = text.trim().toLowerCase()
  const hash = HASH.exec(word)?.[1] ?? null
  const [, venue, id] = VENUE.exec(word) ?? []
  const number = NUMBER.test(word) ? Number(word) : null
  const idNumber = BLOCK_ID.exec(word)?.[1]
  return {
    words: venue === undefined ? word.split(/[\s,/|_]+/).filter((one) => one !== '') : [],
    account: ACCOUNT.test(word) ? word : null,
    hash,
    block:
      number !== null
        ? { num: number, idStart: '' }
        : idNumber === undefined
          ? null
          : { num: Number.parseInt(idNumber, 16), idStart: word },
    pool: venue === 'pool' ? Number(id) : number,
    market: venue === 'market' ? Number(id) : number,
    leg: parseLegKey(word),
  }
}
