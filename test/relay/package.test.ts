// The package of the relayer as it is published, without the checkout.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t from 'tap'
import { publishedInterface } from '../../proofs/release-calls.ts'
import { EvmKey } from '../../relay/evm/key.ts'
import { Journal } from '../../relay/state/journal.ts'
import { testDatabase } from '../support/database.ts'
import { installedPackage } from '../support/installed-package.ts'
import { until } from '../support/until.ts'
import { startFakeEvmNode } from './evm-node.ts'
import { keyFile } from './key-file.ts'

const CONTRACT = `0x${'77'.repeat(20)}`

t.test('the package', async (t) => {
  const { start, outcome, checkContents } = await installedPackage(t, 'relay')

  t.test('holds the program, the chains, README and licence, and few dependencies', (t) =>
    checkContents(t, ['main.js'], 8),
  )

  t.test('prints its help and its version', async (t) => {
    const [help, version] = await Promise.all([outcome(['--help']), outcome(['--version'])])
    t.match(help, { code: 0, out: /^Credits, releases.*\n\nUsage: headwater-relay \[status\] \[options\]/ })
    t.match(version, { code: 0, out: /^headwater-relay \d+\.\d+\.\d+\n$/ })
  })

  t.test('replaces a stuck transaction, with a login that may do nothing but relay', async (t) => {
    const { url, pool } = await testDatabase(t)
    const login = `relayer_package_${process.pid}`
    await pool.query(`create role ${login} login in role headwater_relayer`)
    t.teardown(() => pool.query(`drop role ${login}`))
    const node = await startFakeEvmNode(t)
    node.time = Math.floor(Date.now() / 1000)
    const file = keyFile(t, '1'.padStart(64, '0'))
    const { address } = EvmKey.read(file)
    const journal = await Journal.open(url, [address])
    const selector = publishedInterface('SvcWithdrawals').getFunction('release')?.selector ?? ''
    await journal.intend(
      {
        ...{ chain: 'mainnet', signer: address, leg: 'w:1', action: 'release', step: 'light', nonce: 0 },
        ...{
          hash: `0x${'11'.repeat(32)}`,
          raw: new Uint8Array(),
          call: { to: CONTRACT, data: selector, budgetUsd: null },
        },
        ...{
          expiresAt: null,
          maxFee: 1n,
          maxTip: 1n,
          gasLimit: 100_000n,
          costUsd: 0.01,
          feeUsd: 1,
          valueUsd: 1,
          shares: [],
        },
      },
      null,
    )
    await journal.close()
    await pool.query(`update relay.intents set state = 'sent', sent_at = now() - interval '1 hour'`)
    const variables = {
      DATABASE_URL: Object.assign(new URL(url), { username: login }).href,
      HEADWATER_CHAINS: 'telos,mainnet',
      HEADWATER_MAINNET_CONTRACTS_WITHDRAWALS: CONTRACT,
      HEADWATER_RELAY_API: 'http://127.0.0.1:1/v1',
      HEADWATER_RELAY_NODES: `mainnet=${node.url}`,
      HEADWATER_RELAY_EVM_KEY_FILE: file,
      HEADWATER_RELAY_POLICY: 'always',
      HEADWATER_RELAY_PRICES: 'ETH=2500',
      HEADWATER_RELAY_PORT: '0',
      HEADWATER_RELAY_MAX_LAG_SECONDS: '86400',
    }
    const child = start([], variables)
    t.teardown(() => child.kill('SIGKILL'))
    const lines: string[] = []
    createInterface(child.stderr).on('line', (line) => lines.push(line))
    await until(
      () => `the replacement: ${lines.join('\n')}`,
      () => node.got.length > 0 || child.exitCode !== null,
    )
    t.match(node.got[0], { nonce: 0, type: 2, to: CONTRACT, data: selector }, lines.join('\n'))
    t.equal(node.got[0]?.from?.toLowerCase(), address, 'signed by the key')
    t.match(await outcome([], variables), { code: 1, err: /^RELAY_KEY_IN_USE: / })
    t.match(await outcome(['status'], variables), { code: 0, out: /^mainnet 0x[0-9a-f]{40}: [12] open/m })
    t.match(await outcome(['--off'], variables), { code: 0, out: 'relayers are switched off\n' })
    child.kill('SIGTERM')
    t.same(await once(child, 'exit'), [0, null])
    await pool.query('drop schema relay cascade')
    t.match(await outcome([], variables), {
      code: 1,
      err: /^RELAY_DATABASE: the database cannot be used: it has no tables of the relayer\n/,
    })
  })

  t.test('names the missing settings', async (t) => {
    const noServer = { DATABASE_URL: 'postgresql://127.0.0.1:1/headwater' }
    const [nothing, noKey, noStatus, noChain, typo] = await Promise.all([
      outcome([]),
      outcome([], noServer),
      outcome(['status'], noServer),
      outcome([], { ...noServer, HEADWATER_CHAINS: 'mainet' }),
      outcome(['--dryrun']),
    ])
    t.match(nothing, { code: 1, err: /^RELAY_DATABASE: no database is configured\n {2}hint: set DATABASE_URL/ })
    t.match(noKey, { code: 1, err: /^RELAY_NO_KEY: the relayer has no key\n/ })
    t.match(noStatus, { code: 1, err: /^RELAY_DATABASE: the database cannot be used: .*ECONNREFUSED/ })
    t.match(noChain, { code: 1, err: /INVALID_CONFIG[\s\S]*"mainet" has no file.*did you mean mainnet\?/ })
    t.match(typo, { code: 2, err: /^USAGE: unknown option --dryrun\n.*did you mean --dry-run\?/ })
  })
})
