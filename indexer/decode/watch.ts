// Selects the actions, tables and ABIs to index. Consulted for every action and row of every block.

import { UserError } from '../../core/errors.ts'
import { NameIndex } from './name-index.ts'

/** Names of one account's actions or tables, or all of them. */
export type Names = ReadonlySet<string> | '*'

export interface WatchOptions {
  /** Names of actions by account; the account `*` matches every contract and needs a list of names. */
  actions?: ReadonlyMap<string, Names>
  /** Names of tables by the contract that owns them; `*` as with actions. */
  tables?: ReadonlyMap<string, Names>
  /** Further accounts whose ABIs are followed; `*` for all. */
  abis?: Iterable<string> | '*'
  /** The account whose `setabi` sets ABIs. */
  system?: string
}

/**
 * How an action or row matches: `skip` not watched; `wanted` watched by account and name; `other` a name that is not
 * watched, of an account that is watched by names; `any` watched by name alone, whatever the contract.
 */
export const MATCH = { skip: 0, wanted: 1, other: 2, any: 3 } as const
export type Match = (typeof MATCH)[keyof typeof MATCH]

class PairIndex {
  readonly hasAny: boolean
  private readonly accounts: NameIndex
  private readonly names: (NameIndex | null)[]
  private readonly anyNames: NameIndex

  constructor(pairs: ReadonlyMap<string, Names>, what: string) {
    const any = pairs.get('*')
    if (any === '*') {
      throw new UserError('INVALID_WATCH', `all ${what} of all contracts cannot be watched`, {
        hint: `name the ${what} that are wanted of every contract`,
      })
    }
    const entries = [...pairs].filter(([account]) => account !== '*')
    this.hasAny = any !== undefined && any.size > 0
    this.accounts = new NameIndex(entries.map(([account]) => account))
    this.names = entries.map(([, names]) => (names === '*' ? null : new NameIndex([...names])))
    this.anyNames = new NameIndex([...(any ?? [])])
  }

  match(accountLow: number, accountHigh: number, nameLow: number, nameHigh: number): Match {
    const account = this.accounts.find(accountLow, accountHigh)
    if (account < 0) {
      return this.hasAny && this.anyNames.find(nameLow, nameHigh) >= 0 ? MATCH.any : MATCH.skip
    }
    const names = this.names[account] as NameIndex | null
    if (names === null || names.find(nameLow, nameHigh) >= 0) return MATCH.wanted
    return this.hasAny && this.anyNames.find(nameLow, nameHigh) >= 0 ? MATCH.wanted : MATCH.other
  }
}

export class Watch {
  private readonly actionIndex: PairIndex
  private readonly tableIndex: PairIndex
  /** Null when the ABIs of all accounts are followed. */
  private readonly abiIndex: NameIndex | null
  private readonly setAbi: NameIndex
  private readonly system: NameIndex

  /** @throws UserError INVALID_NAME, INVALID_WATCH */
  constructor({ actions = new Map(), tables = new Map(), abis = [], system = 'eosio' }: WatchOptions) {
    this.actionIndex = new PairIndex(actions, 'actions')
    this.tableIndex = new PairIndex(tables, 'tables')
    const everyAbi = abis === '*' || this.actionIndex.hasAny || this.tableIndex.hasAny
    this.abiIndex = everyAbi ? null : new NameIndex([...new Set([...actions.keys(), ...tables.keys(), ...abis])])
    this.system = new NameIndex([system])
    this.setAbi = new NameIndex(['setabi'])
  }

  /** The arguments are 32-bit halves of the account and of the action's name, unsigned. */
  matchAction(accountLow: number, accountHigh: number, nameLow: number, nameHigh: number): Match {
    return this.actionIndex.match(accountLow, accountHigh, nameLow, nameHigh)
  }

  matchTable(codeLow: number, codeHigh: number, tableLow: number, tableHigh: number): Match {
    return this.tableIndex.match(codeLow, codeHigh, tableLow, tableHigh)
  }

  /** Whether the ABI of an account is followed. */
  matchAbi(accountLow: number, accountHigh: number): boolean {
    return this.abiIndex === null || this.abiIndex.find(accountLow, accountHigh) >= 0
  }

  /** Whether an action is the system contract's `setabi`. */
  isSetAbi(accountLow: number, accountHigh: number, nameLow: number, nameHigh: number): boolean {
    return this.setAbi.find(nameLow, nameHigh) >= 0 && this.system.find(accountLow, accountHigh) >= 0
  }
}
