// Sends calls to a live EVM node and waits for their blocks.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Receipt, refusal, send } from '../evm/call-evm.ts'
import type { EvmCall } from '../evm/deploy.ts'
import type { EvmRpc } from '../evm/rpc.ts'

const POLL_MS = 200
const TIMEOUT_MS = 60_000

/** A call that a contract refuses; the message is the custom error's name if it is one of the bridge's. */
class EvmRefusal extends Error {}

/**
 * Sends a call and waits for its block. Simulates it first: a call that would be refused is not sent.
 *
 * @throws EvmRefusal with the name of the error
 */
export async function execute(rpc: EvmRpc, call: EvmCall): Promise<Receipt> {
  const refused = await refusal(rpc, call)
  if (refused !== null) throw new EvmRefusal(refused)
  const hash = await send(rpc, call)
  const end = Date.now() + TIMEOUT_MS
  for (;;) {
    const receipt = await rpc.call<Receipt | null>('eth_getTransactionReceipt', hash)
    if (receipt?.status === '0x1') return receipt
    if (receipt) throw new EvmRefusal((await refusal(rpc, call)) ?? `transaction ${hash} failed`)
    if (Date.now() > end) throw new EvmRefusal(`transaction ${hash} is in no block`)
    await sleep(POLL_MS)
  }
}
