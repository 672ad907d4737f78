// A cosigner with a node, and clients that ask for signatures.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PrivateKey } from '@wharfkit/antelope'
import { start } from '../../bin/program.ts'
import { TestNode, withKey } from '../../cosign/node.ts'
import { noop, pack, transfer, transferData, USER } from '../../cosign/transactions.ts'
import { freePort } from '../../support/debian-server.ts'
import { type Front, startFront } from './front.ts'
import { opened, type Place, untilReady } from './place.ts'
import { placeServer } from './server.ts'

const PAYER = 'liquid.svc'
const SWAP = `swapexactin#0#${USER}#0.000001 USDT@usdt.svc#0`
/** So that the clients of a record are not limited. */
const LIMIT = '1000000'
const LIMITS = ['ACCOUNT_HOUR', 'ACCOUNT_DAY', 'IP_HOUR', 'IP_DAY', 'ALL_HOUR', 'ALL_DAY']

export interface CosignerPlace extends Place {
  node: TestNode
  /** Through which the cosigner reaches its node. */
  front: Front
  /** Sets the CPU that the payer has used. */
  useCpu(percent: number): void
  /** Asks for signatures of nonsense, at this rate. @returns stops it */
  pester(perSecond: number): () => void
}

export const openCosignerPlace = () => opened<CosignerPlace>(cosignerPlace)

async function cosignerPlace(atEnd: (work: () => unknown) => void): Promise<Omit<CosignerPlace, 'close'>> {
  const server = await placeServer()
  atEnd(() => server.stop())
  const node = await new TestNode(Date.now()).start({ teardown: atEnd })
  const front = await startFront(node.url)
  atEnd(() => front.stop())
  const key = PrivateKey.generate('K1')
  const useCpu = (percent: number) => {
    const keys = { bw: String(key.toPublic()) }
    const links = { bw: [{ account: PAYER, action: 'noop' }] }
    node.accounts.set(PAYER, withKey(PrivateKey.generate('K1'), { keys, links, cpu: { used: percent, max: 100 } }))
  }
  useCpu(10)
  node.accounts.set(USER, withKey(PrivateKey.generate('K1')))
  const keyFile = join(server.folder, 'payer.key')
  writeFileSync(keyFile, `${key}\n`, { mode: 0o600 })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const cosigner = start(['cosign'], {
    DATABASE_URL: server.url,
    HEADWATER_COSIGN_KEY_FILE: keyFile,
    HEADWATER_COSIGN_NODE: front.url,
    HEADWATER_COSIGN_TOKENS: 'any',
    HEADWATER_COSIGN_PORT: `${port}`,
    ...Object.fromEntries(LIMITS.map((name) => [`HEADWATER_COSIGN_${name}`, LIMIT])),
  })
  atEnd(() => cosigner.child.kill('SIGKILL'))
  const ask = (serializedTransaction: string) =>
    void fetch(`${url}/api/v2/cpu/cosign`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ serializedTransaction }),
    }).then(
      (answer) => answer.text(),
      () => '',
    )
  let made = 0
  const swap = () => {
    const data = transferData('swap.svc', { memo: SWAP, quantity: `${++made}.00000000 WAX` })
    return pack([noop(), transfer('swap.svc', { data })], node.reference)
  }
  const time = () => Math.floor(Date.now() / 500) * 500
  const timers = [
    setInterval(() => void (time() > node.chain.headTime && node.chain.produce({ time: time() })), 2000),
    setInterval(() => ask(swap()), 1000),
  ]
  atEnd(() => {
    for (const timer of timers) clearInterval(timer)
  })
  await untilReady(url, cosigner, '/metrics')
  return {
    ...{ node, front, useCpu },
    targets: [{ job: 'cosign', instance: 'cosign:7702', url: () => url }],
    pester(perSecond) {
      const timer = setInterval(() => ask('nonsense'), 1000 / perSecond)
      return () => clearInterval(timer)
    },
  }
}
