// Loaded before each test file: prints the processor time of its process, without child processes and PostgreSQL. A
// file that waits takes much less of it than it takes time.
import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// Threads and forks of the test inherit the arguments of node.
if (isMainThread && process.send === undefined)
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    writeSync(1, `# processor time: ${((user + system) / 1e6).toFixed(2)} s\n`)
  })
