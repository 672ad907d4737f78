// A process that uses the embedded server of the given folder, for tests that kill it. With `attached` as second
// argument, the server ends with this process. Prints a JSON line when the server runs; stops using it when standard
// input closes.
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
