// A chain of hand-made blocks whose last one can be replaced. Actions and rows are packed by the ABIs of `abis/`, then
// decoded, projected and written as in the indexer.
import { type CompiledAbi, compileAbi } from '../../../core/antelope/abi/compile.ts'
import { abiFile } from '../../../devnet/contracts/abi-file.ts'
import type { DecodedAction, DecodedBlock, DecodedRow } from '../../../indexer/decode/decoded.ts'
import { Projector } from '../../../indexer/project/projector.ts'
import { listRoles, type RoleAccounts } from '../../../indexer/project/role-accounts.ts'
import { ChainWriter } from '../../../indexer/store/writer.ts'

/** Content of a block: one transaction with its actions, and the rows that it writes. */
export interface Step {
  actions: readonly { account: string; name: string; data: object }[]
  rows?: readonly { code: string; table: string; key: bigint; data: object }[]
}

const NOTHING: Step = { actions: [] }
const START = Date.parse('2026-01-01T00:00:00.000Z')

export interface ForkingChainOptions {
  url: string
  chain: string
  accounts: RoleAccounts
  /** Names of files in `abis/`, by account. */
  abis: Readonly<Record<string, string>>
}

export class ForkingChain {
  private readonly writer: ChainWriter
  private readonly projector: Projector
  private readonly abis: ReadonlyMap<string, CompiledAbi>
  private ids = ['00'.repeat(32)]
  private branch = 0
  private lib = 1

  private constructor({ chain, accounts, abis }: ForkingChainOptions, writer: ChainWriter) {
    this.writer = writer
    this.projector = new Projector({ chain, accounts, tokenContracts: '*' })
    this.abis = new Map(Object.entries(abis).map(([account, file]) => [account, compileAbi(abiFile(file))]))
  }

  static async open(options: ForkingChainOptions): Promise<ForkingChain> {
    const { chain, url, accounts } = options
    const writer = await ChainWriter.open({ chain, databaseUrl: url, chainId: null, accounts: listRoles(accounts) })
    const made = new ForkingChain(options, writer)
    await made.push(NOTHING)
    return made
  }

  /** Adds a block; it can be replaced until `settle`. */
  async push(step: Step): Promise<void> {
    const num = this.ids.length
    const id = num.toString(16).padStart(8, '0') + (++this.branch).toString(16).padStart(56, '0')
    const batch = this.writer.newBatch()
    batch.add(this.projector.project(this.block(step, num, id)))
    await this.writer.commit(batch)
    this.ids.push(id)
  }

  /** Replaces the last block by one with another step. */
  async fork(step: Step = NOTHING): Promise<void> {
    this.ids.pop()
    await this.push(step)
  }

  /** Makes the last block irreversible. */
  async settle(): Promise<void> {
    this.lib = this.ids.length - 1
    await this.push(NOTHING)
  }

  async close(): Promise<void> {
    await this.writer.close()
  }

  private block({ actions, rows = [] }: Step, num: number, id: string): DecodedBlock {
    const trxId = id.slice(8).padStart(64, 'f')
    return {
      ...{ num, id, prevId: this.ids[num - 1] as string, time: START + num * 500, producer: 'producer1' },
      ...{ lib: { num: this.lib, id: '' }, head: { num, id } },
      actions: actions.map(({ account, name, data }, index): DecodedAction => {
        const abi = this.abis.get(account) as CompiledAbi
        const frame = abi.encodeAction(name, data)
        const place = { globalSeq: BigInt(num * 100 + index), trxId, ordinal: index + 1, creatorOrdinal: 0 }
        return { ...place, account, name, data: abi.decodeAction(name, frame), frame, start: 0, end: frame.length }
      }),
      rows: rows.map(({ code, table, key, data }): DecodedRow => {
        const abi = this.abis.get(code) as CompiledAbi
        const frame = abi.encodeRow(table, data)
        const place = { code, scope: code, scopeRaw: 0n, table, primaryKey: key, present: true }
        return { ...place, data: abi.decodeRow(table, frame), frame, start: 0, end: frame.length }
      }),
      ...{ undecoded: [], undecodedRows: [], abiChanges: [] },
    }
  }
}
