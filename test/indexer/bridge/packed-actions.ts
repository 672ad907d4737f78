// Actions and rows packed by eosjs with the ABIs of `abis/`, then decoded and projected as in the indexer.

import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import { packAbi } from '../../../core/antelope/abi/pack.ts'
import { toHex } from '../../../core/hex.ts'
import { sha256 } from '../../../core/sha256.ts'
import { AbiBook } from '../../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../../indexer/decode/decode-block.ts'
import { Watch } from '../../../indexer/decode/watch.ts'
import { Projector } from '../../../indexer/project/projector.ts'
import type { RoleAccounts } from '../../../indexer/project/role-accounts.ts'
import type { ProjectedBlock } from '../../../indexer/store/rows.ts'
import { contractTypes, madeBlock, pack } from '../../support/ship-frames.ts'

export interface Called {
  account: string
  name: string
  /** Values in the form of eosjs: bytes as hexadecimal digits, wide integers as text. */
  data: object
}

export interface Row {
  code: string
  table: string
  scope: string
  key: string
  value: object
}

export interface Contracts {
  accounts: RoleAccounts
  abis: Readonly<Record<string, AbiDefinition>>
}

/** The rows of a block with one transaction of these actions, and these rows. */
export async function projectPacked(
  { accounts, abis }: Contracts,
  calls: readonly Called[],
  rows: readonly Row[] = [],
): Promise<ProjectedBlock> {
  const types = new Map(Object.entries(abis).map(([account, abi]) => [account, contractTypes(packAbi(abi))]))
  const typed = (account: string, list: 'actions' | 'tables', name: string, value: object) => {
    const { abi, type } = types.get(account)!
    return toHex(pack(type(abi[list].find((entry: { name: string }) => entry.name === name).type), value))
  }
  const block = await madeBlock({
    num: 7,
    transactions: [
      {
        actions: calls.map(({ account, name, data }, index) => ({
          ...{ seq: index + 1, account, name, data: typed(account, 'actions', name, data) },
        })),
      },
    ],
    rows: rows.map(({ code, table, scope, key, value }) => ({
      table: 'contract_row',
      value: [
        'contract_row_v0',
        { code, scope, table, primary_key: key, payer: code, value: typed(code, 'tables', table, value) },
      ],
    })),
  })
  const book = new AbiBook()
  const packed = Object.entries(abis).map(([account, abi]) => ({ account, abi: packAbi(abi) }))
  book.load(packed.map(({ account, abi }) => ({ account, abi, blockNum: 0, globalSeq: 0n, hash: toHex(sha256(abi)) })))
  const projector = new Projector({ chain: 'test', accounts, tokenContracts: [] })
  return projector.project(
    decodeBlock(block, new Watch(projector.wanted), book, { chain: 'test', checksActions: false }),
  )
}
