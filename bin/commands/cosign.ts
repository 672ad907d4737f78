// `headwater cosign`: the CPU sponsor in its own process, the only one that reads its key.

import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { openDatabase } from '../database.ts'
import { openProgram } from '../program.ts'
import { COSIGN_OPTIONS, runCosigner } from '../run-cosigner.ts'

export const command: Command = {
  name: 'cosign',
  options: { ...CHAIN_OPTION, ...COSIGN_OPTIONS },
  help: 'The key comes from the file of cosign.keyFile (HEADWATER_COSIGN_KEY_FILE). docs/operate/cosigner.md describes the set-up.',
  run: (args) => runCosigner(args, { load: () => openProgram(args), openDatabase }),
}
