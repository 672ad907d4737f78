// Decodes the recorded actions with @wharfkit/antelope, each by the ABI in force at its position.
import { ABI, Serializer } from '@wharfkit/antelope'
import type { Plain, RecordedAction, RecordedBlock } from './frames.ts'

export interface OracleAction extends RecordedAction {
  block: RecordedBlock
  /** Undefined when the ABI does not have the action. */
  fields: Plain | undefined
}

const SET_ABI = ABI.from({
  structs: [
    {
      base: '',
      name: 'setabi',
      fields: [
        { name: 'account', type: 'name' },
        { name: 'abi', type: 'bytes' },
      ],
    },
  ],
})

/** The actions of the given accounts along one branch. */
export function decodeActions(blocks: RecordedBlock[], isWanted: (action: RecordedAction) => boolean): OracleAction[] {
  const abis = new Map<string, ABI>()
  const actions: OracleAction[] = []
  for (const block of blocks) {
    for (const action of block.actions) {
      if (action.account === 'eosio' && action.name === 'setabi') rememberAbi(action, abis)
      if (!isWanted(action)) continue
      const abi = abis.get(action.account)
      const type = abi?.getActionType(action.name)
      const fields =
        abi && type ? JSON.parse(JSON.stringify(Serializer.decode({ data: action.data, type, abi }))) : undefined
      actions.push({ ...action, block, fields })
    }
  }
  return actions
}

function rememberAbi(action: RecordedAction, abis: Map<string, ABI>): void {
  const { account, abi } = Serializer.decode({ data: action.data, type: 'setabi', abi: SET_ABI }) as Plain
  abis.set(String(account), Serializer.decode({ data: abi, type: ABI }))
}
