// A burn in the middle of a block of many actions.
import { actDigest, actionDigest, witnessHash } from '../../core/antelope/digest.ts'
import { merkleRoot } from '../../core/antelope/merkle.ts'
import { Writer } from '../../core/antelope/writer.ts'
import type { BridgeLog } from '../../core/finality/bridge-log.ts'
import { fromHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'

/** A tree of six levels: the block has 64 actions. */
const ACTIONS = 64
const PLACE = 40

export interface Burned {
  log: Omit<BridgeLog, 'blockNum'>
  actionMroot: Uint8Array
}

/** @param address  address of vault, token and recipient */
export function burnIn(id: bigint, address: string): Burned {
  const bytes = fromHex(address.slice(2))
  const writer = new Writer()
  writer.u64(id)
  writer.u64(1n)
  for (const member of [bytes, bytes, bytes]) writer.lengthBytes(member)
  for (const number of [1_000_000n, 2_000_000_000n, 0n]) writer.u64(number)
  writer.lengthBytes(new Uint8Array())
  const data = writer.finish()
  const authorization = [{ actor: 'bridge.svc', permission: 'active' }]
  const action = { account: 'bridge.svc', name: 'wdlog', authorization, data }
  const receipt = {
    ...{ receiver: 'bridge.svc', actDigest: actDigest(action, new Uint8Array()), globalSequence: id + 1n },
    ...{ recvSequence: id, authSequence: [['bridge.svc', id] as const], codeSequence: 1, abiSequence: 1 },
  }
  const leaves = Array.from({ length: ACTIONS }, (_, i) => sha256(Buffer.from(`action ${id}/${i}`)))
  leaves[PLACE] = actionDigest(receipt, action)
  const place = { recvSequence: id, witness: witnessHash(receipt), index: PLACE, leaves }
  return { log: { name: 'wdlog', id, data, ...place }, actionMroot: merkleRoot(leaves) }
}
