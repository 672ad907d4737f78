// Prints whether a server is found in a data directory, and whether the process of a key runs.
import { runningServer } from '../../../../indexer/store/embedded/postmaster.ts'
import { isKeyAlive } from '../../../../indexer/store/embedded/process.ts'

const [data = '', key = ''] = process.argv.slice(2)
console.log(JSON.stringify({ pid: runningServer(data)?.pid ?? null, isAlive: isKeyAlive(key) }))
