// The demo's CPU cosigner, in a child process that ends with this one, and the setup of the account that pays.
import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PrivateKey } from '@wharfkit/antelope'
import { readKeyFile } from '../cosign/key-file.ts'
import { AntelopeNode } from '../devnet/relayer/antelope-node.ts'
import { setUpPayer } from '../devnet/sponsor/payer.ts'
import type { Log } from './cli/log.ts'
import { keepDemoChild } from './demo-child.ts'

export interface DemoCosigner {
  /** URL for the API. */
  url: string
  /** Creates the payer's permission on the chain, once the chain is live. */
  setUp(): Promise<void>
  stop(): void
}

export interface DemoCosignerOptions {
  /** Folder of the key file. */
  dataDir: string
  databaseUrl: string
  /** Chain API of wax. */
  node: string
}

/** @throws UserError of the key file */
export async function startDemoCosigner(options: DemoCosignerOptions, log: Log): Promise<DemoCosigner> {
  const { dataDir, databaseUrl, node } = options
  const keyFile = demoKeyFile(dataDir)
  const publicKey = String(readKeyFile(keyFile).toPublic())
  const port = await freePort()
  const script = fileURLToPath(new URL('headwater.js', import.meta.url))
  const start = () =>
    fork(script, ['cosign', '--chain', 'wax', '--port', String(port)], {
      execArgv: [],
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        HEADWATER_COSIGN_KEY_FILE: keyFile,
        HEADWATER_COSIGN_NODE: node,
      },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    })
  const stop = keepDemoChild({ name: 'cosigner', start, log: 'stderr' }, log)
  return {
    url: `http://127.0.0.1:${port}`,
    async setUp() {
      await setUpPayer(new AntelopeNode(node), publicKey)
      log.info('the payer of CPU is set up', { key: publicKey, keyFile })
    },
    stop,
  }
}

/** Created at the first start, readable only by its owner. */
function demoKeyFile(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, 'demo-payer.key')
  try {
    writeFileSync(path, `${PrivateKey.generate('K1')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return path
}

/** A port that is free at present. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
