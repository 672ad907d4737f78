// `headwater relay`: the relayer of the bridge in its own process, the only one that reads its keys.
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { openDatabase, runningDatabase } from '../database.ts'
import { openProgram } from '../program.ts'
import { RELAY_OPTIONS, runRelayer } from '../run-relayer.ts'

export const command: Command = {
  name: 'relay',
  positionals: '[status]',
  options: { ...CHAIN_OPTION, ...RELAY_OPTIONS },
  help: 'The keys are in the files of relay.evmKeyFile and relay.antelopeKeyFile, or at signers. `relay status` shows what was sent, earned and refused. docs/operate/relayer.md describes the set-up.',
  run: (args) => runRelayer(args, { load: () => openProgram(args), openDatabase, runningDatabase }),
}
