// Sends calls to the EVM node in blocks of given times, and reads their logs.

import type { Interface, LogDescription } from 'ethers'
import { BugError } from '../../core/errors.ts'
import { itemAt } from '../../core/required.ts'
import { RpcError } from '../../net/rpc/errors.ts'
import { errorName } from './contracts.ts'
import type { EvmCall } from './deploy.ts'
import type { EvmRpc } from './rpc.ts'

/** Enough for every call; deployments take more. */
const GAS = 1_500_000
const GAS_TO_DEPLOY = 5_000_000

export interface Log {
  address: string
  topics: string[]
  data: string
  logIndex: string
}

export interface Receipt {
  transactionHash: string
  blockNumber: string
  status: string
  gasUsed: string
  contractAddress: string | null
  logs: Log[]
}

const hex = (value: bigint | number): string => `0x${value.toString(16)}`

/** Sends a transaction of one of the node's accounts, which the node signs. @returns its hash */
export function send(rpc: EvmRpc, { from, to, data, value = 0n }: EvmCall): Promise<string> {
  const gas = hex(to === undefined ? GAS_TO_DEPLOY : GAS)
  return rpc.call('eth_sendTransaction', { from, ...(to === undefined ? {} : { to }), data, value: hex(value), gas })
}

/**
 * Mines a block with some calls.
 *
 * @param seconds  Unix time of the block, after the last block's
 * @throws BugError DEVNET_EVM when one of them fails
 */
export async function mine(rpc: EvmRpc, calls: readonly EvmCall[], seconds: number): Promise<Receipt[]> {
  await rpc.call('evm_setNextBlockTimestamp', seconds)
  const hashes: string[] = []
  for (const call of calls) hashes.push(await send(rpc, call))
  await rpc.call('evm_mine')
  const receipts: (Receipt | null)[] = []
  for (const hash of hashes) receipts.push(await rpc.call('eth_getTransactionReceipt', hash))
  for (const [i, receipt] of receipts.entries()) {
    if (receipt?.status === '0x1') continue
    const call = itemAt(calls, i)
    const { from, to = 'nobody', data } = call
    const what = `${data.slice(0, 10)} from ${from} to ${to}`
    const why = receipt ? `failed: ${await refusal(rpc, call)}` : 'is in no block'
    throw new BugError('DEVNET_EVM', `call ${what} ${why}`)
  }
  return receipts as Receipt[]
}

/** Why a call would be refused now: the name of our custom error, or the node's message; null when it would succeed. */
export async function refusal(rpc: EvmRpc, { from, to, data, value = 0n }: EvmCall): Promise<string | null> {
  try {
    await rpc.call('eth_call', { from, to, data, value: hex(value), gas: hex(GAS) }, 'latest')
    return null
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return (typeof error.data === 'string' ? errorName(error.data) : null) ?? error.message
  }
}

/** A contract's first event with a given name. */
export function eventOf(
  { logs }: Receipt,
  address: string,
  contract: Interface,
  name: string,
): { index: number; event: LogDescription } | null {
  for (const log of logs) {
    if (log.address.toLowerCase() !== address) continue
    const event = contract.parseLog(log)
    if (event?.name === name) return { index: Number(log.logIndex), event }
  }
  return null
}
