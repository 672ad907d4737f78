// The cosigner with a node: every transaction is a swap of the simulated wax that is tried there before it is signed.
// Transactions that only the chain can recognise as invalid are refused.
import type { PrivateKey } from '@wharfkit/antelope'
import { waxProfile } from '../../devnet/contracts/profile.ts'
import { by, noop, pack, transfer, transferData } from '../../test/cosign/transactions.ts'
import { figures, Load } from './load.ts'
import { startCosigner, startWax } from './process.ts'

/** Requests a second, and concurrent requests when the maximum rate is measured. */
const RATE = 100
const AT_ONCE = 8
const COUNT = 1500
const REFUSALS = 500

/** Header fields of a transaction that is valid now. */
type Header = { expiration: string; ref_block_num: number; ref_block_prefix: number }

export async function measureWithNode(databaseUrl: string, folder: string, key: PrivateKey): Promise<void> {
  const wax = await startWax()
  // Nothing is indexed here, so the list of traded tokens is unknown.
  const settings = { HEADWATER_COSIGN_NODE: wax.url, HEADWATER_COSIGN_TOKENS: 'any' }
  const cosigner = await startCosigner(databaseUrl, folder, key, settings)
  const load = new Load(cosigner.url)
  try {
    await load.atOnce(swaps(200, await headerOf(wax.url)), AT_ONCE)
    const many = swaps(COUNT, await headerOf(wax.url))
    const began = performance.now()
    const closed = await load.atOnce(many, AT_ONCE)
    const perSecond = COUNT / ((performance.now() - began) / 1000)
    console.log(`with a node, ${AT_ONCE} requests at once:`)
    console.log(`  ${perSecond.toFixed(0)} signatures/s; ${figures(closed)}`)
    console.log(`with a node, ${RATE} requests a second, not waiting for answers:`)
    console.log(`  signatures: ${figures(await load.paced(swaps(COUNT, await headerOf(wax.url)), RATE))}`)
    console.log('with a node, refusals one after the other:')
    for (const [what, hex] of Object.entries(refusedOnes(await headerOf(wax.url))))
      console.log(`  ${what}: ${await load.refused(hex, REFUSALS, cosigner.took)}`)
  } finally {
    load.close()
    await cosigner.stop()
    await wax.stop()
  }
}

let made = 0

/** Swaps of users in turn, each with a different amount. */
function swaps(count: number, header: Header): string[] {
  return Array.from({ length: count }, () => {
    const user = waxProfile.users[++made % waxProfile.users.length] as string
    const quantity = `0.01${String(made).padStart(6, '0')} WAX`
    const data = transferData('swap.svc', {
      ...{ from: user, quantity },
      memo: `swapexactin#0#${user}#0.000001 USDT@usdt.svc#0`,
    })
    return pack([noop(), transfer('swap.svc', { authorization: [by(user)], data })], header)
  })
}

function refusedOnes(header: Header): Record<string, string | (() => string)> {
  const user = waxProfile.users[0] as string
  const good = [
    noop(),
    transfer('swap.svc', { authorization: [by(user)], data: transferData('swap.svc', { from: user }) }),
  ]
  // All different: a transaction that has failed is not tried again for some time.
  const fails = () => {
    const quantity = `0.02${String(++made).padStart(6, '0')} WAX`
    const data = transferData('swap.svc', { from: user, quantity, memo: 'swapexactin#999#x#0.000001 USDT@usdt.svc#0' })
    return pack([noop(), transfer('swap.svc', { authorization: [by(user)], data })], header)
  }
  return {
    expired: pack(good, { ...header, expiration: '2020-01-01T00:00:00' }),
    'another reference block': pack(good, { ...header, ref_block_prefix: 1 }),
    'no such account': pack(
      [
        noop(),
        transfer('swap.svc', {
          authorization: [by('nobody.here')],
          data: transferData('swap.svc', { from: 'nobody.here' }),
        }),
      ],
      header,
    ),
    'fails when it is tried': fails,
  }
}

async function headerOf(url: string): Promise<Header> {
  const response = await fetch(`${url}/v1/chain/get_info`)
  const { head_block_id, head_block_time } = (await response.json()) as Record<string, string>
  const id = Buffer.from(String(head_block_id), 'hex')
  const expiration = new Date(Date.parse(`${String(head_block_time).replace(/Z$/, '')}Z`) + 300_000)
  return {
    expiration: expiration.toISOString().slice(0, 19),
    ref_block_num: id.readUInt16BE(2),
    ref_block_prefix: id.readUInt32LE(8),
  }
}
