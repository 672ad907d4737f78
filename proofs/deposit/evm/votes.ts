// Headers that make a gateway for BNB Smart Chain trust a block at or after a deposit. For each epoch since its last
// trusted block: the first block, which names the validators; then the deposit's block. Each comes with the following
// headers whose votes make it final.

import { UserError } from '../../../core/errors.ts'
import { readParliaExtra } from '../../../core/evm/parlia.ts'
import { finalVotes, firstVoted, type KnownSet } from '../../../core/evm/vote-finality.ts'
import { itemAt, required } from '../../../core/required.ts'
import type { EvmReader, RawHeader } from './node.ts'

export interface VotePlan {
  /** Headers of each `attest` action, in order. */
  attestations: RawHeader[][]
  /** Headers from the deposit's block to the block that the last action makes final. */
  path: RawHeader[]
  /** Validator sets that check the first actions. */
  known: KnownSet[]
}

/** Blocks after a block that are searched for votes on it. */
const WINDOW = 12
/** Maximum epochs in one list: about half a month. */
const MAX_EPOCHS = 2000

/**
 * @param target       the deposit's block
 * @param since        a block that the gateway trusts, not after the target
 * @param epochBlocks  length of an epoch
 * @returns null until votes make it final
 * @throws RpcError EVM_HEADER and the endpoint's errors; UserError GATEWAY_FAR_BEHIND
 */
export async function planVotes(
  rpc: EvmReader,
  target: RawHeader,
  since: number,
  epochBlocks: number,
): Promise<VotePlan | null> {
  const head = await rpc.head()
  const final = await finalRun(rpc, target.number, head)
  if (final === null) return null
  const epochs = firstBlocks(since, target.number - 1, epochBlocks)
  if (epochs.length > MAX_EPOCHS) {
    const what = `the gateway knows the validators of block ${since}, ${epochs.length} epochs before the deposit`
    throw new UserError('GATEWAY_FAR_BEHIND', what, { hint: `bring the epochs since block ${since} to it first` })
  }
  const attestations: RawHeader[][] = []
  for (const epoch of epochs) {
    const run = await finalRun(rpc, epoch, head)
    if (run === null) return null
    if (readParliaExtra(itemAt(run.headers, 0).extraData).validators === null)
      throw rpc.error('EVM_HEADER', `block ${epoch} names no validators: is an epoch ${epochBlocks} blocks long?`)
    attestations.push(run.headers)
  }
  const known = await setsAt(rpc, since, epochBlocks)
  const count = final.last - target.number
  return { attestations: [...attestations, final.headers], path: final.headers.slice(0, count + 1), known }
}

/** Headers from `first` on whose votes make `first` or a block shortly after it final. */
async function finalRun(
  rpc: EvmReader,
  first: number,
  head: number,
): Promise<{ headers: RawHeader[]; last: number } | null> {
  const to = Math.min(head, first + WINDOW)
  if (to < first) return null
  const headers = await rpc.headers(Array.from({ length: to - first + 1 }, (_, i) => first + i))
  const found = finalVotes(headers)
  if (found === null) return null
  for (let count = found.index + 2; count < headers.length; count++) {
    const part = headers.slice(0, count)
    if (finalVotes(part)?.index === found.index) return { headers: part, last: first + found.index }
  }
  return { headers, last: first + found.index }
}

/** First blocks of the epochs after one block, up to another. */
function firstBlocks(after: number, to: number, epochBlocks: number): number[] {
  const first = Math.floor(after / epochBlocks) + 1
  const count = Math.floor(to / epochBlocks) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, i) => (first + i) * epochBlocks)
}

/** Validator sets that vote at and after a block, as named by the last two epochs. */
async function setsAt(rpc: EvmReader, block: number, epochBlocks: number): Promise<KnownSet[]> {
  const epoch = Math.floor(block / epochBlocks) * epochBlocks
  const nums = epoch >= epochBlocks ? [epoch - epochBlocks, epoch] : [epoch]
  const sets = (await rpc.headers(nums)).map((header) => {
    const { validators } = readParliaExtra(header.extraData)
    if (validators) return validators
    throw rpc.error('EVM_HEADER', `block ${header.number} names no validators: is an epoch ${epochBlocks} blocks long?`)
  })
  const [before, after = before] = sets
  return sets.length === 1
    ? [{ from: 0, validators: required(before, 'validator set') }]
    : [
        { from: 0, validators: required(before, 'validator set') },
        { from: firstVoted(epoch, required(before, 'validator set')), validators: required(after, 'validator set') },
      ]
}
