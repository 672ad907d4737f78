// Indexes the logs in a folder in a process of its own, and prints the position and the largest resident memory, bytes.
// Arguments: database, folder.
import { indexChain } from '../../../../indexer/run.ts'
import { LogSource } from '../../../../indexer/source/logs/source.ts'
import { PROFILE } from '../../replay/index-recording.ts'

const [databaseUrl = '', folder = ''] = process.argv.slice(2)
const position = await indexChain({
  ...{ chain: 'wax', databaseUrl, source: new LogSource({ folders: [folder], chain: 'wax' }) },
  ...{ accounts: PROFILE, systemAccount: 'eosio', tokenContracts: ['token.svc'], chainId: null, startBlock: 2 },
  events: {
    opened: () => {},
    forked: () => {},
    committed: () => {},
    decoded: () => {},
    retrying: (error) => {
      throw error
    },
  },
  signal: new AbortController().signal,
})
// The system counts the largest size in kilobytes.
process.stdout.write(JSON.stringify({ position, largest: process.resourceUsage().maxRSS * 1024 }))
