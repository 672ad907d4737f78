// Trees of block ids and producers' signatures, against proofs of a real chain.
import t from 'tap'
import { packPublicKey, packSignature } from '../../../../core/antelope/abi/keys.ts'
import { blockId, blockNumOf, packBlockHeader } from '../../../../core/antelope/block.ts'
import { actDigest, legacyActionDigest } from '../../../../core/antelope/digest.ts'
import { legacyMerkleRoot } from '../../../../core/antelope/merkle.ts'
import { msToSlot } from '../../../../core/antelope/time.ts'
import { BlockRootTree, climbSides, pathInLeaves } from '../../../../core/finality/legacy/block-root.ts'
import {
  confirmationsOf,
  isSignedBy,
  type ProducerSchedule,
  packSchedule,
  readSchedule,
  recoverKey,
  scheduleHash,
  signingDigest,
} from '../../../../core/finality/legacy/schedule.ts'
import { fromHex, toHex } from '../../../../core/hex.ts'
import { sha256 } from '../../../../core/sha256.ts'
import { loadVectors } from '../../../fixtures/proofs/load.ts'

interface JsonHeader {
  timestamp: string
  producer: string
  previous: string
  transaction_mroot: string
  action_mroot: string
  confirmed: number
  schedule_version: number
}
interface Signed {
  header: JsonHeader
  producer_signatures: string[]
  previous_bmroot: string
  bmproofpath: number[]
}
interface Heavy {
  blockproof: {
    blocktoprove: { block: Signed; active_nodes: number[]; node_count: number }
    bftproof: Signed[]
    hashes: string[]
  }
}
interface Light {
  blockproof: { header: JsonHeader; root: string; bmproofpath: string[] }
  actionproof: {
    receipt: Record<
      'abi_sequence' | 'act_digest' | 'code_sequence' | 'global_sequence' | 'receiver' | 'recv_sequence',
      string
    > & {
      auth_sequence: { account: string; sequence: string }[]
    }
    action: { account: string; name: string; authorization: { actor: string; permission: string }[]; data: string }
    amproofpath: string[]
  }
}
interface Schedule {
  initial_schedule: {
    version: number
    producers: {
      producer_name: string
      authority: [string, { threshold: number; keys: { key: string; weight: number }[] }]
    }[]
  }
}

const { blockproof: heavy } = loadVectors<Heavy>('legacy-jungle4-heavy-proof-32347182')
const light = loadVectors<Light>('legacy-jungle4-light-proof-22531781')
const { initial_schedule: json } = loadVectors<Schedule>('legacy-jungle4-schedule-45')
const schedule: ProducerSchedule = {
  version: json.version,
  producers: json.producers.map(({ producer_name: producer, authority: [, { threshold, keys }] }) => ({
    producer,
    threshold,
    keys: keys.map(({ key, weight }) => ({ key: packPublicKey(key), weight })),
  })),
}
const hashes = heavy.hashes.map(fromHex)
const packed = (header: JsonHeader) =>
  packBlockHeader({
    timestamp: msToSlot(Date.parse(`${header.timestamp}Z`)),
    producer: header.producer,
    confirmed: header.confirmed,
    previous: header.previous,
    transactionMroot: fromHex(header.transaction_mroot),
    actionMroot: fromHex(header.action_mroot),
    scheduleVersion: header.schedule_version,
    newProducers: null,
    headerExtensions: [],
  })
const idOf = (header: JsonHeader) => fromHex(blockId(packed(header), blockNumOf(header.previous) + 1))

t.test('each block is signed by its producer under the schedule', async (t) => {
  for (const { header, previous_bmroot, producer_signatures } of [heavy.blocktoprove.block, ...heavy.bftproof]) {
    const digest = signingDigest(packed(header), fromHex(previous_bmroot), scheduleHash(schedule))
    const signatures = producer_signatures.map(packSignature)
    const authority = schedule.producers.find(({ producer }) => producer === header.producer)!
    t.ok(isSignedBy(authority, digest, signatures), header.producer)
    const other = schedule.producers.find(({ producer }) => producer !== header.producer)!
    t.notOk(isSignedBy(other, digest, signatures))
    t.notOk(isSignedBy(authority, sha256(digest), signatures))
    t.notOk(isSignedBy({ ...authority, threshold: 2 }, digest, [...signatures, ...signatures]), 'counted once')
  }
  t.equal(confirmationsOf(schedule), 15)
  t.equal(recoverKey(new Uint8Array(32), new Uint8Array(66)), null)
  t.equal(recoverKey(new Uint8Array(32), Uint8Array.of(2, ...new Uint8Array(65))), null, 'of a WebAuthn key')
  t.same(readSchedule(packSchedule(schedule)), schedule)
  const [first, ...others] = schedule.producers
  const webAuthn = Uint8Array.of(2, ...first!.keys[0]!.key.subarray(1), 1, 4, ...Buffer.from('a.io'))
  const keys = [{ key: webAuthn, weight: 1 }, ...first!.keys]
  const longer = { ...schedule, producers: [{ ...first!, keys }, ...others] }
  t.same(readSchedule(packSchedule(longer)), longer, 'with a key of another length')
  const unknown = { ...longer, producers: [{ ...first!, keys: [{ key: webAuthn.with(0, 3), weight: 1 }] }] }
  t.throws(() => readSchedule(packSchedule(unknown)), { code: 'INVALID_KEY' })
  t.throws(() => readSchedule(packSchedule(schedule).subarray(0, 100)), { code: 'TRUNCATED' })
  t.throws(() => readSchedule(Buffer.concat([packSchedule(schedule), Uint8Array.of(0)])), { code: 'SCHEDULE_LAYOUT' })
})

t.test('the tree continues from the active nodes of a heavy proof', async (t) => {
  const { block, active_nodes, node_count } = heavy.blocktoprove
  const active = active_nodes.map((at) => hashes[at]!)
  const tree = BlockRootTree.fromActive(node_count, active)
  t.same(tree.active(), active)
  const before = tree.append(fromHex(block.header.previous))
  t.equal(toHex(before.root()), block.previous_bmroot)
  t.equal(before.count, blockNumOf(block.header.previous))
})

t.test('paths of the proofs lead to the roots of later blocks', async (t) => {
  const id = idOf(heavy.blocktoprove.block.header)
  for (const { bmproofpath, previous_bmroot } of heavy.bftproof)
    t.equal(
      toHex(
        climbSides(
          id,
          bmproofpath.map((at) => hashes[at]!),
        ),
      ),
      previous_bmroot,
    )
  const { header, bmproofpath, root } = light.blockproof
  t.equal(toHex(climbSides(idOf(header), bmproofpath.map(fromHex))), root)
})

t.test('an action of the light proof is in its block', async (t) => {
  const { receipt, action, amproofpath } = light.actionproof
  const { account, name, authorization, data } = action
  const digest = actDigest({ account, name, authorization, data: fromHex(data) }, null)
  t.equal(toHex(digest), receipt.act_digest)
  const leaf = legacyActionDigest({
    receiver: receipt.receiver,
    actDigest: digest,
    globalSequence: BigInt(receipt.global_sequence),
    recvSequence: BigInt(receipt.recv_sequence),
    authSequence: receipt.auth_sequence.map(({ account: actor, sequence }) => [actor, BigInt(sequence)] as const),
    codeSequence: Number(receipt.code_sequence),
    abiSequence: Number(receipt.abi_sequence),
  })
  t.equal(toHex(climbSides(leaf, amproofpath.map(fromHex))), light.blockproof.header.action_mroot)
})

t.test('trees of every size have the root of their leaves, and paths to it', async (t) => {
  const leaves = Array.from({ length: 40 }, (_, i) => sha256(Uint8Array.of(i)))
  const trees = [BlockRootTree.empty]
  for (const leaf of leaves) trees.push(trees.at(-1)!.append(leaf))
  for (let count = 0; count <= leaves.length; count++) {
    const part = leaves.slice(0, count)
    const root = legacyMerkleRoot(part)
    if (toHex(trees[count]!.root()) !== toHex(root)) t.fail(`root of ${count}`)
    t.same(BlockRootTree.fromActive(count, trees[count]!.active()).active(), trees[count]!.active())
    for (let index = 0; index < count; index++) {
      const path = pathInLeaves(part, index)
      if (toHex(climbSides(leaves[index]!, path)) !== toHex(root)) t.fail(`leaf ${index} of ${count}`)
      t.same(trees[index]!.pathOfNext(part.slice(index)), path, `leaf ${index} of ${count} from the tree before it`)
    }
  }
  t.throws(() => pathInLeaves(leaves, 40), RangeError)
})
