// One fetch, or a bare copy of a database's rows, in a process of its own, as an operator's is: the process that made
// the chain holds all blocks in memory, and its garbage collection would be measured too.
// Arguments: `fetch` URL FOLDER [TRUST], or `bare` URL. Prints the rows, and the seconds by the clock, of a processor
// here, and in the server.
import { FolderStore } from '../../net/objects/folder.ts'
import { fetchPack } from '../../packs/read/fetch.ts'
import { processorMs } from '../decode/processor.ts'
import { bareCopy } from '../support/bare-copy.ts'
import { ServerTime } from '../support/server-time.ts'
import { CHAIN, SETTINGS } from './settings.ts'

const [what, databaseUrl = '', folder = '', trust] = process.argv.slice(2)
const result = what === 'bare' ? await copied() : await fetched()
process.stdout.write(JSON.stringify(result))
process.exit(0)

async function copied() {
  const { rows, seconds, own, server } = await bareCopy(databaseUrl, await ServerTime.of(databaseUrl))
  return { rows, wall: seconds, own, server }
}

async function fetched() {
  const server = await ServerTime.of(databaseUrl)
  const started = { wall: performance.now(), own: processorMs(), server: server.seconds() }
  const { rows } = await fetchPack({
    ...{ chain: CHAIN, databaseUrl, store: new FolderStore(folder), settings: SETTINGS },
    verify: trust === undefined ? null : { trust },
    signal: new AbortController().signal,
  })
  const [wall, own] = [(performance.now() - started.wall) / 1000, (processorMs() - started.own) / 1000]
  return { rows, wall, own, server: server.seconds() - started.server }
}
