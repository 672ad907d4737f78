// A snapshot (version 8) of a made-up chain with a seed: balances of token contracts, one table for each holder, and
// tables of contracts that nothing reads.
import { packAbi } from '../../core/antelope/abi/pack.ts'
import { blockId, packBlockHeader, packSignedBlock } from '../../core/antelope/block.ts'
import { nameToU64 } from '../../core/antelope/name.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { abiFile } from '../../devnet/contracts/abi-file.ts'
import { Random } from '../../test/support/random.ts'
import { simulatedState } from '../../test/support/snapshot-state.ts'
import { joinSections, section, writeSections } from '../../test/support/snapshot-writer.ts'

export interface GeneratedSnapshot {
  bytes: Buffer
  chainId: string
  /** Block of the snapshot, and its id. */
  num: number
  id: string
  /** Number of rows that are balances. */
  balances: number
}

const VERSION = 8
const NUM = 100_000
const TOKENS = 400
const OTHERS = 1000
/** Accounts with an ABI, of which most hold no tokens. */
const CONTRACTS = 5000
/** Share of the rows that are balances. */
const BALANCES = 0.6
/** Rows in a table that nothing reads. */
const OTHER_ROWS = 20

/** @param rows  number of rows in all */
export function generateSnapshot(rows: number, seed: number): GeneratedSnapshot {
  const random = new Random(seed)
  const tables = new Writer(1 << 24)
  const values = new Writer(1 << 26)
  const balances = Math.round(rows * BALANCES)
  let [number, count] = [0, 0]
  const table = (code: bigint, scope: bigint, name: bigint, size: number) => {
    for (const value of [code, scope, name, code]) tables.u64(value)
    tables.u32(size)
    values.u64(BigInt(number++))
    values.varuint32(size)
    count += 2 + size
  }
  const row = (key: bigint, value: Uint8Array) => {
    values.u64(key)
    values.u64(0x5530ea0000000000n)
    values.lengthBytes(value)
  }
  const [accounts, items] = [nameToU64('accounts'), nameToU64('items')]
  for (let i = 0, others = 0; i < balances; i++) {
    // Few tokens have most holders.
    const token = Math.floor(random.next() ** 3 * TOKENS)
    table(nameToU64(`token.${base(token)}`), nameToU64(`u${base(i)}`), accounts, 1)
    row(SYMBOL >> 8n, balance(random.integer(0, 2 ** 40)))
    // The other tables lie between them.
    for (; others < ((rows - balances) * (i + 1)) / balances; others += OTHER_ROWS) {
      table(nameToU64(`game.${base(random.integer(0, OTHERS))}`), BigInt(others), items, OTHER_ROWS)
      for (let key = 0; key < OTHER_ROWS; key++) row(BigInt(key), new Uint8Array(random.integer(16, 180)).fill(key))
    }
  }
  const { id, state, chainId } = blockOf(random)
  const sections = writeSections({ version: VERSION, blockState: state, chainId, accounts: abis(), tables: [] })
  const filled = sections.map((bytes) => {
    if (bytes.includes('table_id_object\0')) return section('eosio::chain::table_id_object', number, [tables.finish()])
    return bytes.includes('key_value_object\0')
      ? section('eosio::chain::key_value_object', count, [values.finish()])
      : bytes
  })
  return { bytes: joinSections(filled), chainId, num: NUM, id, balances }
}

/** 4,WAX */
const SYMBOL = 0x58415704n

function balance(amount: number): Uint8Array {
  const writer = new Writer(16)
  writer.u64(BigInt(amount))
  writer.u64(SYMBOL)
  return writer.finish().slice()
}

const base = (value: number): string =>
  value.toString(25).replaceAll(/\d/g, (digit) => 'pqrstuvwxy'.charAt(Number(digit)))

function abis() {
  const [token, other] = [packAbi(abiFile('eosio.token')), packAbi(abiFile('delphioracle'))]
  const tokens = Array.from({ length: TOKENS }, (_, i) => ({ name: nameToU64(`token.${base(i)}`), abi: token }))
  const others = Array.from({ length: CONTRACTS - TOKENS }, (_, i) => {
    return { name: nameToU64(`game.${base(i)}`), abi: other }
  })
  return [...tokens, ...others]
}

function blockOf(random: Random) {
  const none = new Uint8Array(32)
  const header = packBlockHeader({
    ...{ timestamp: 1_600_000_000, producer: 'eosio', confirmed: 0, scheduleVersion: 0, newProducers: null },
    ...{ previous: `${(NUM - 1).toString(16).padStart(8, '0')}${random.hex(28)}`, headerExtensions: [] },
    ...{ transactionMroot: none, actionMroot: none },
  })
  const id = blockId(header, NUM)
  const block = packSignedBlock(header, new Uint8Array(66), [], [])
  return { id, chainId: random.hex(32), state: simulatedState(VERSION, { id, block }) }
}
