// Scriptable contracts of the simulated chain: an action `run` names a script, which writes rows, logs actions and
// notifies accounts. They have the accounts and ABIs of the real contracts.
import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import { packAbi } from '../../core/antelope/abi/pack.ts'
import type { ActionCall, ApplyContext, Contract } from '../../devnet/chain/contract.ts'
import { abiFile } from '../../devnet/contracts/abi-file.ts'

export type Script = (context: ApplyContext) => void

export const AMM = 'swap.svc'
export const SPOT = 'svcdexmain'
export const TOKEN = 'eosio.token'

function scripted(abi: AbiDefinition): AbiDefinition {
  const run = { name: 'run', base: '', fields: [{ name: 'script', type: 'uint64' }] }
  return { ...abi, structs: [...abi.structs, run], actions: [...abi.actions, { name: 'run', type: 'run' }] }
}

function without(abi: AbiDefinition, action: string): AbiDefinition {
  return { ...abi, actions: abi.actions.filter(({ name }) => name !== action) }
}

const spot = scripted(abiFile('svcdexmain'))

/**
 * ABIs between which the order-book contract changes, packed: the second has one more member, the third lacks an
 * action.
 */
export const SPOT_ABIS = [spot, scripted(abiFile('svcdexmain.next')), without(spot, 'sellmatch')].map((abi) =>
  packAbi(abi),
)

export class StandIns {
  private readonly scripts: Script[] = []
  readonly contracts: readonly Contract[]

  constructor() {
    const abis: [string, AbiDefinition][] = [
      [AMM, scripted(abiFile('swap.svc.2023-08'))],
      [SPOT, spot],
      [TOKEN, scripted(abiFile('eosio.token'))],
    ]
    this.contracts = abis.map(([account, abi]) => ({
      account,
      abi,
      apply: (context) => {
        const { action, receiver } = context
        if (receiver !== account || action.account !== account) return
        if (action.name === 'run') this.scripts[Number(action.data.script)]!(context)
        if (action.name === 'transfer')
          for (const member of ['from', 'to']) context.notify(action.data[member] as string)
      },
    }))
  }

  /** An action that runs a script at a contract. */
  run(account: string, script: Script): ActionCall {
    return call(account, 'run', { script: BigInt(this.scripts.push(script) - 1) })
  }
}

export function call(account: string, name: string, data: ActionCall['data']): ActionCall {
  return { account, name, data, authorization: [{ actor: account, permission: 'active' }] }
}
