// A process that uses the embedded server of the folder given, for tests that kill it; `attached` as second argument
// ends the server with this process. Prints a JSON line when the
// server is up, stops its use when standard input closes.
import { startEmbeddedPostgres } from '../../../../indexer/store/embedded/server.ts'

const log: string[] = []
const [dataDir, lifetime] = process.argv.slice(2)
const attached = lifetime === 'attached'
const server = await startEmbeddedPostgres({ dataDir: dataDir!, attached, log: (message) => log.push(message) })
const { url, tcpUrl, directory, adopted } = server
console.log(JSON.stringify({ url, tcpUrl, directory, adopted, log }))
process.stdin.resume()
process.stdin.once('end', async () => {
  await server.stop()
  process.exit(0)
})
