// The AMM contract of the devnet, with the exact results, logs and tables of the real one.
// Verified by the recorded scenarios in test/fixtures/amm.

import { AmmRefusal } from '../../../core/amm/refusal.ts'
import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import type { Asset, ExtendedAsset } from '../../../core/antelope/asset.ts'
import { nameToU64 } from '../../../core/antelope/name.ts'
import type { Actions } from '../../../core/contracts/amm-newest.ts'
import type { ActionData, ApplyContext, Contract } from '../../chain/contract.ts'
import { abiFile } from '../abi-file.ts'
import { incomingTransfer, nowSeconds, type Transfer } from '../actions.ts'
import * as admin from './admin.ts'
import { deposit, withdraw } from './balances.ts'
import * as incentives from './incentives.ts'
import type { AmmLayout } from './layout.ts'
import * as liquidity from './liquidity.ts'
import { parseMemo, type SwapMemo } from './memo.ts'
import { AmmStore } from './store.ts'
import { swapExactIn, swapExactOut } from './swaps.ts'

export interface AmmOptions {
  account?: string
  layout: AmmLayout
  /** Initial activation fee of new pools; the operator can change it. */
  activeFee: ExtendedAsset
  /** Receives activation fees. */
  feeAccount?: string
  /** Whether an account exists; default: every name exists. */
  isAccount?: (name: string) => boolean
}

type Action = (store: AmmStore, data: never) => unknown

export class AmmContract implements Contract {
  readonly account: string
  readonly abi: AbiDefinition
  private readonly options: AmmOptions
  private readonly actions: ReadonlyMap<string, Action>

  constructor(options: AmmOptions) {
    this.account = options.account ?? 'swap.svc'
    this.abi = abiFile(options.layout === '2023-08' ? 'swap.svc.2023-08' : 'swap.svc.locks')
    this.options = options
    this.actions = new Map([...commonActions(options), ...(options.layout === 'newer' ? newerActions : [])])
  }

  apply(context: ApplyContext): void {
    const { action } = context
    try {
      if (action.account === this.account) this.run(context, action.name, action.data)
      else {
        const transfer = incomingTransfer(context)
        if (transfer) this.receive(new AmmStore(context), transfer, action.account)
      }
    } catch (error) {
      if (error instanceof AmmRefusal) context.check(false, error.message)
      throw error
    }
  }

  private run(context: ApplyContext, name: string, data: ActionData): void {
    if (name.startsWith('log')) return
    const action = this.actions.get(name)
    context.check(action !== undefined, `unknown action ${name}`)
    action(new AmmStore(context), data as never)
  }

  private receive(store: AmmStore, { from, quantity, memo }: Transfer, token: string): void {
    const request = parseMemo(memo)
    const paid = { quantity, contract: token }
    store.check(!store.db.get('banlist', store.self, nameToU64(from)), 'Account is banned')
    if (request.kind === 'deposit') deposit(store, from, paid)
    else if (request.kind === 'activepool') {
      admin.activatePool(store, request.id, paid, this.options.feeAccount ?? 'fees.svc')
    } else if (request.kind === 'incentreward' && this.options.layout === 'newer') {
      incentives.addReward(store, request.id, paid)
    } else if (request.kind === 'swapexactin' || request.kind === 'swapexactout') this.swap(store, request, from, paid)
    else store.check(false, 'Invalid Service Params')
  }

  private swap(store: AmmStore, memo: SwapMemo, sender: string, input: ExtendedAsset): void {
    store.check(store.system().active, 'Maintaining...')
    const inTime = memo.deadline === 0 || memo.deadline >= nowSeconds(store.context)
    store.check(inTime, 'Expired')
    const known = this.options.isAccount?.(memo.output.contract) ?? true
    store.check(known, 'Invalid extended asset: Account does not found')
    const { poolIds, recipient, output } = memo
    const run = memo.kind === 'swapexactin' ? swapExactIn : swapExactOut
    run(store, { poolIds, sender, recipient, input, output })
  }
}

function commonActions({ layout, activeFee }: AmmOptions): [string, Action][] {
  return [
    ['init', (store) => admin.initialise(store, activeFee)],
    ['createpool', admin.createPool],
    ['addliquid', (store, data: Actions['addliquid']) => liquidity.addLiquidity(store, data, layout)],
    ['subliquid', (store, data: Actions['subliquid']) => liquidity.subLiquidity(store, data, layout)],
    ['collect', (store, data: Actions['collect']) => liquidity.collectFees(store, data, layout)],
    ['withdraw', withdraw],
    ['setfee', (store, data: Actions['setfee']) => admin.setFee(store, data, layout)],
    ['getfees', admin.getFees],
    ['setactive', (store, { active }: Actions['setactive']) => admin.changeSystem(store, { active })],
    ['setactivefee', setActiveFee],
  ]
}

const newerActions: [string, Action][] = [
  ['lockpool', admin.lockPool],
  ['banacc', admin.banAccount],
  ['transferpos', liquidity.transferPosition],
  ['lockpos', liquidity.lockPosition],
  ['newincentive', incentives.newIncentive],
  ['stake', incentives.stake],
  ['unstake', incentives.unstake],
  ['getreward', incentives.payReward],
]

/** The older layout has the fee as one extended asset, the newer one as contract and asset. */
function setActiveFee(store: AmmStore, data: { activeFee: ExtendedAsset } | { contract: string; fee: Asset }): void {
  const activeFee = 'activeFee' in data ? data.activeFee : { quantity: data.fee, contract: data.contract }
  admin.changeSystem(store, { activeFee })
}
