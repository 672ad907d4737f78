// Blocks of a real node: digests, claims and action roots agree with it, and contracts on a real EVM take what its
// finalizers signed, through two changes of their policy.
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { packFinalizerPolicy } from '../../core/antelope/finalizer-policy.ts'
import { merkleRoot } from '../../core/antelope/merkle.ts'
import { slotToMs } from '../../core/antelope/time.ts'
import { type Burn, burnsOf } from '../../core/finality/burn.ts'
import { actionLeaves, executedActions } from '../../core/finality/receipts.ts'
import { isGenesis, track } from '../../core/finality/track.ts'
import { toHex } from '../../core/hex.ts'
import { readRecording } from '../../indexer/source/recording.ts'
import { unpackMessage } from '../../indexer/source/ship/protocol.ts'
import { certificateVerifier } from '../../proofs/certificates.ts'
import { MemoryStore } from '../../proofs/memory-store.ts'
import { proveWithdrawal } from '../../proofs/prove.ts'
import { Anvil } from '../contracts/anvil.ts'
import { rootArguments } from './destination.ts'
import { LEDGER, LEDGER_NAMES } from './telos.ts'

interface Followed {
  store: MemoryStore
  burns: Map<bigint, Burn>
  blocks: number
  rewinds: number
}

async function follow(name: string): Promise<Followed> {
  const path = fileURLToPath(new URL(`../fixtures/recordings/${name}.ship.gz`, import.meta.url))
  const followed: Followed = { store: new MemoryStore(), burns: new Map(), blocks: 0, rewinds: 0 }
  const { store, burns } = followed
  for await (const { bytes } of readRecording(path)) {
    const message = unpackMessage(bytes)
    if (message.kind !== 'blocks' || !message.result.position) continue
    const { position, block, traces, finality } = message.result
    const source = { ...position, block: block!, finality }
    if (!store.lineage && !isGenesis(source)) continue
    if (store.lineage && position.num <= store.lineage.blockNum) {
      store.rewind(position.num - 1)
      for (const [id, burn] of burns) if (burn.blockNum >= position.num) burns.delete(id)
      followed.rewinds++
    }
    const actions = executedActions(traces!)
    const tracked = track(store.lineage, source)
    if (toHex(merkleRoot(actionLeaves(actions))) !== toHex(tracked.block.data.actionMroot)) {
      throw new Error(`the actions of block ${position.num} lead to another root`)
    }
    const found = burnsOf(position.num, actions, LEDGER.account).filter(({ domain }) => domain < 2n ** 32n)
    for (const burn of found) burns.set(burn.id, burn)
    store.append(tracked, found)
    followed.blocks++
  }
  return followed
}

t.test('a real chain with forks is followed without a contradiction', async (t) => {
  const { store, blocks, rewinds, burns } = await follow('forks')
  t.ok(blocks > 400 && rewinds > 10, `${blocks} blocks, ${rewinds} rewinds`)
  const verify = certificateVerifier()
  let proved = 0
  const nowhere = { releaseTo: '0x', vault: '0x', lightClient: '0x', roots: [], generation: 1, newest: 1 }
  for (const id of burns.keys()) {
    if (await proveWithdrawal({ source: store, verify, ledger: LEDGER }, id, nowhere)) proved++
  }
  t.ok(proved > 20, `${proved} of ${burns.size} withdrawals are proved`)
})

t.test('withdrawals of a real chain are released by contracts on a real EVM', async (t) => {
  const { store, burns } = await follow('small')
  const policies = await store.policies()
  t.equal(policies.length, 3)
  const first = (await store.block(policies[0]!.blockNum))!
  const anvil = await Anvil.start({ chainId: 1, time: Math.floor(slotToMs(first.timestamp) / 1000) })
  t.teardown(() => anvil.stop())
  const client = await anvil.deploy('SvcLightClient', packFinalizerPolicy(policies[0]!.policy))
  const verify = certificateVerifier()
  const generations = new Set<number>()
  for (const burn of [...burns.values()].filter(({ domain }) => domain === 1n)) {
    const vault = `0x${toHex(burn.vault)}`
    // The recording's vaults are made up: a contract without code of its own stands for each, and lets everything pass.
    await anvil.provider.send('anvil_setCode', [vault, '0x00'])
    const withdrawals = await anvil.deploy('SvcWithdrawals', client.target, vault, ...LEDGER_NAMES)
    const destination = {
      releaseTo: withdrawals.target as string,
      vault,
      lightClient: client.target as string,
      roots: [],
      generation: Number(await client.getFunction('generation')()),
      newest: Number(await client.getFunction('newest')()),
    }
    const found = await proveWithdrawal({ source: store, verify, ledger: LEDGER }, burn.id, destination)
    if (!found) continue
    const { submitRoot, release, handoffs } = found.proof.hard
    for (const handoff of handoffs) {
      await anvil.send(client, 'submitAndLearn', ...rootArguments(handoff.submitRoot), handoff.learn)
    }
    const parameters = [...rootArguments(submitRoot), release]
    t.equal(await anvil.refusal(withdrawals, 'submitAndRelease', ...parameters), null, `withdrawal ${burn.id}`)
    const other = { ...release, recvSequence: `${BigInt(release.recvSequence) + 1n}` }
    const changed = [...rootArguments(submitRoot), other]
    t.equal(await anvil.refusal(withdrawals, 'submitAndRelease', ...changed), 'ActionNotInBlock')
    await anvil.send(withdrawals, 'submitAndRelease', ...parameters)
    generations.add(submitRoot.finality.activeGeneration)
  }
  t.same([...generations], [1, 2, 3], 'certificates of all three policies')
})
