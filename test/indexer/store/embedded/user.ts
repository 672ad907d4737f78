// A process that uses the embedded server of the folder given, for tests that kill it. Prints a JSON line when the
// server is up, stops its use when standard input closes.
import { startEmbeddedPostgres } from '../../../../indexer/store/embedded/server.ts'

const log: string[] = []
const server = await startEmbeddedPostgres({ dataDir: process.argv[2]!, log: (message) => log.push(message) })
const { url, tcpUrl, directory, adopted } = server
console.log(JSON.stringify({ url, tcpUrl, directory, adopted, log }))
process.stdin.resume()
process.stdin.once('end', async () => {
  await server.stop()
  process.exit(0)
})
