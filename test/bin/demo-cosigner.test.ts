// The demo's cosigner: a separate process, a key made at the first start, a payer set up on the chain.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startDemoCosigner } from '../../bin/demo-cosigner.ts'
import { readKeyFile } from '../../cosign/key-file.ts'
import { Chain } from '../../devnet/chain/chain.ts'
import { Inbox } from '../../devnet/chain/inbox.ts'
import { buildExchange } from '../../devnet/contracts/exchange.ts'
import { waxProfile } from '../../devnet/contracts/profile.ts'
import { SPONSOR } from '../../devnet/contracts/sponsor.ts'
import { startHttp } from '../../devnet/http/server.ts'
import { networks } from '../../devnet/networks.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

/** A chain with a block every tenth of a second, which contains the sent transactions. */
async function liveChain(t: { teardown(work: () => unknown): void }): Promise<{ chain: Chain; url: string }> {
  const { contracts } = buildExchange(waxProfile)
  const { chainId, firstBlock } = networks.wax
  const chain = new Chain({ chainId, firstBlock, seed: 'demo', startTime: Date.now() - 60_000, contracts })
  const inbox = new Inbox(chain)
  const http = await startHttp(chain, { inbox })
  const timer = setInterval(() => {
    const block = chain.begin(chain.headTime + 500)
    inbox.fill(block)
    block.finish('strong', null)
  }, 100)
  t.teardown(async () => {
    clearInterval(timer)
    await http.stop()
  })
  return { chain, url: http.url }
}

t.test('the cosigner of the demo', async (t) => {
  const { url: databaseUrl } = await testDatabase(t)
  const { chain, url: node } = await liveChain(t)
  const dataDir = temporaryFolder(t)
  const lines: string[] = []
  const note = (message: string, fields: object = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`)
  const log = { info: note, warn: note, error: note }
  const start = () => startDemoCosigner({ dataDir, databaseUrl, node }, log)
  const first = await start()
  const keyFile = join(dataDir, 'demo-payer.key')
  t.equal(statSync(keyFile).mode & 0o777, 0o600)
  const text = readFileSync(keyFile, 'utf8')
  const publicKey = String(readKeyFile(keyFile).toPublic())

  const status = async () => {
    for (let tries = 0; tries < 2400; tries++) {
      const answer = await fetch(`${first.url}/api/v2/cpu/status`, { method: 'POST' }).catch(() => null)
      const body = (await answer?.json()) as { available: boolean; cpu: object | null } | undefined
      if (body?.available && body.cpu !== null) return body
      await sleep(100)
    }
    throw new Error(lines.join('\n'))
  }
  t.match(await status(), { available: true, signing: true, cpu: { used: 0, max: '10000000', percent: 0 } })

  await first.setUp()
  t.match(chain.state.permissionsOf(SPONSOR), [
    {
      name: 'bw',
      parent: 'active',
      threshold: 1,
      keys: [{ key: publicKey, weight: 1 }],
      links: [{ account: SPONSOR, action: 'noop' }],
    },
  ])
  first.stop()
  await until('it has ended', async () => (await fetch(`${first.url}/health/live`).catch(() => null)) === null, 50)
  await t.rejects(fetch(`${first.url}/health/live`), 'it has ended')
  t.notMatch(lines.join('\n'), text.trim())
  const second = await start()
  t.equal(readFileSync(keyFile, 'utf8'), text, 'the key is kept')
  second.stop()
})
