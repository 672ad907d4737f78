// Projects a block of an EVM chain to rows. A log of a watched contract that its ABI does not describe is stored raw, as
// RLP of its topics and data.

import { readFileSync } from 'node:fs'
import { type Fragment, Interface, type JsonFragment } from 'ethers'
import { fromPrefixedHex } from '../../../core/evm/bytes.ts'
import { encodeRlp } from '../../../core/evm/rlp.ts'
import { required } from '../../../core/required.ts'
import type { EvmBlock } from '../../source/evm/follower.ts'
import type { EvmLog } from '../../source/evm/reader.ts'
import type { LedgerRow, ProjectedBlock } from '../../store/rows.ts'
import {
  type EventPlace,
  type EventProjection,
  type EvmRole,
  globalSequence,
  ledgerRow,
  type Members,
} from './event.ts'
import { EVENTS } from './events.ts'

/** Addresses by role: 0x and 40 lower-case digits. */
export type EvmContracts = Readonly<Record<EvmRole, readonly string[]>>

const FILES: Readonly<Record<EvmRole, string>> = {
  vault: 'SvcVault',
  withdrawals: 'SvcWithdrawals',
  lightclient: 'SvcLightClient',
}
const ROLES = Object.keys(FILES) as EvmRole[]

interface Layout {
  abi: Interface
  projections: ReadonlyMap<string, EventProjection>
}

export class EvmProjector {
  readonly #chain: string
  /** Layouts by contract address. */
  readonly #layouts = new Map<string, Layout>()
  /** First topics of all projected events. */
  readonly topics: readonly string[]

  constructor(chain: string, contracts: EvmContracts) {
    this.#chain = chain
    const topics = new Set<string>()
    for (const role of ROLES) {
      if (contracts[role].length === 0) continue
      const layout = layoutOf(role)
      for (const name of layout.projections.keys())
        topics.add(required(layout.abi.getEvent(name), `event ${name}`).topicHash)
      for (const address of contracts[role]) this.#layouts.set(address, layout)
    }
    this.topics = [...topics]
  }

  /** @returns rows of a block, including its header and undecodable logs */
  project(block: EvmBlock): ProjectedBlock {
    const { num, id, prevId, time, producer, follows } = block
    const header = { chain: this.#chain, blockNum: num, blockId: id, prevId, blockTime: time, producer }
    const ledger: LedgerRow[] = [{ table: 'blocks', row: header }]
    if (follows !== undefined)
      ledger.push({ table: 'quiet_ranges', row: { chain: this.#chain, blockNum: num, firstNum: follows.num + 1 } })
    for (const log of block.logs) ledger.push(this.#row(log, time))
    const ends = { lib: block.lib.num, head: block.head.num }
    return { num, id, prevId, time, producer, follows, ...ends, ledger, state: [], candles: [] }
  }

  #row(log: EvmLog, blockTime: number): LedgerRow {
    const { blockNum, logIndex, trxId, topics, data } = log
    const contract = fromPrefixedHex(log.address, 20)
    const at = { chain: this.#chain, blockNum, blockTime, globalSeq: globalSequence(blockNum, logIndex), trxId }
    const place: EventPlace = { logIndex, contract, ...at }
    const { abi, projections } = required(this.#layouts.get(log.address), `contract ${log.address}`)
    try {
      const parsed = abi.parseLog({ topics: [...topics], data })
      const projection = projections.get(parsed?.name ?? '')
      if (parsed === null || projection === undefined) return raw(log, at, 'UNKNOWN_EVENT', 'the ABI has no such event')
      const members: Members = Object.fromEntries(
        parsed.fragment.inputs.map(({ name }, index) => [name, parsed.args[index]]),
      )
      return ledgerRow(projection.row(members, parsed.name), place)
    } catch (error) {
      return raw(log, at, 'EVENT_INVALID', (error as Error).message.slice(0, 300))
    }
  }
}

/** ABI and event projections of a role. */
function layoutOf(role: EvmRole): Layout {
  const file = new URL(`../../../abis/${FILES[role]}.abi.json`, import.meta.url)
  const abi = new Interface(JSON.parse(readFileSync(file, 'utf8')) as (JsonFragment | Fragment)[])
  const own = EVENTS.filter((projection) => projection.role === role)
  return { abi, projections: new Map(own.flatMap((projection) => projection.events.map((name) => [name, projection]))) }
}

function raw(log: EvmLog, at: object, reasonCode: string, reason: string): LedgerRow {
  const topics = log.topics.map((topic) => fromPrefixedHex(topic))
  const data = encodeRlp([topics, fromPrefixedHex(log.data)])
  const row = { account: log.address, name: log.topics[0] ?? '', data, reasonCode, reason }
  return { table: 'undecoded_actions', row: { ...at, ...row } }
}
