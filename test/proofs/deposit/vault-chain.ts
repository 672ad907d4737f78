// A vault on a local EVM with deposits in full blocks, and a simulated beacon chain over these blocks.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MaxUint256 } from 'ethers'
import type { Test } from 'tap'
import { makePolicy } from '../../../bench/proofs/made-proof.ts'
import { nameToU64 } from '../../../core/antelope/name.ts'
import { fromPrefixedHex } from '../../../core/evm/bytes.ts'
import { DEPOSIT_TOPIC } from '../../../core/evm/deposit-event.ts'
import type { JsonHeader } from '../../../core/evm/header.ts'
import { toHex } from '../../../core/hex.ts'
import { executionHeader } from '../../../devnet/beacon/json.ts'
import { beaconServer } from '../../../devnet/beacon/server.ts'
import { SimulatedBeacon, type SimulatedBeaconOptions } from '../../../devnet/beacon/simulated-beacon.ts'
import type { LockedDeposit } from '../../../proofs/deposit/evm/prove.ts'
import { EvmSide } from '../destination.ts'

const RECEIVER = 'alice'
const REFUND = '0x00000000000000000000000000000000000000dd'
const MEMO = '0x6869'

export class VaultChain {
  readonly side: EvmSide
  readonly url: string
  /** First block from which each block has another second. */
  #first = 0

  private constructor(side: EvmSide) {
    this.side = side
    this.url = side.anvil.provider._getConnection().url
  }

  static async open(t: Test, chainId = 1): Promise<VaultChain> {
    const side = await EvmSide.open(chainId, makePolicy(1, [1n, 1n, 1n]).since.policy)
    t.teardown(() => side.anvil.stop())
    await side.anvil.send(side.token, 'approve', side.vault.target, MaxUint256)
    const chain = new VaultChain(side)
    await chain.rpc('anvil_setBlockTimestampInterval', 1)
    await chain.idle(1)
    chain.#first = await side.anvil.provider.getBlockNumber()
    return chain
  }

  rpc<T>(method: string, ...parameters: unknown[]): Promise<T> {
    return this.side.anvil.provider.send(method, parameters)
  }

  /** Makes a block of transfers that contains deposits of both kinds: tokens and the native coin. */
  async depositAmongOthers(others: number): Promise<LockedDeposit[]> {
    const { vault, token, anvil } = this.side
    await this.rpc('evm_setAutomine', false)
    const from = await anvil.sender.getAddress()
    let nonce = await anvil.provider.getTransactionCount(from)
    const send = (contract: typeof vault, method: string, ...parameters: unknown[]) => {
      const last = parameters.at(-1)
      const given = typeof last === 'object' && last !== null && 'value' in last ? (parameters.pop() as object) : {}
      return contract.getFunction(method).send(...parameters, { ...given, nonce: nonce++, gasLimit: 300_000 })
    }
    for (let i = 0; i < others; i++) {
      if (i === others >> 1) await send(vault, 'deposit', token.target, 5_000, nameToU64(RECEIVER), REFUND, 0, 0, MEMO)
      await send(token, 'transfer', REFUND, 1 + i)
    }
    await send(vault, 'depositNative', nameToU64(RECEIVER), REFUND, 0, 0, '0x', { value: 3n * 10n ** 10n })
    await this.rpc('evm_mine')
    await this.rpc('evm_setAutomine', true)
    return this.deposits(await anvil.provider.getBlockNumber())
  }

  /** Deposits of a block, as rows of an indexer. */
  async deposits(block: number): Promise<LockedDeposit[]> {
    const { vault, anvil } = this.side
    const range = { fromBlock: block, toBlock: block }
    const found = await anvil.provider.getLogs({
      address: vault.target,
      topics: [`0x${toHex(DEPOSIT_TOPIC)}`],
      ...range,
    })
    const { timestamp } = (await anvil.provider.getBlock(block))!
    return found.map((log) => {
      const { args } = vault.interface.parseLog(log)!
      return {
        place: {
          chain: 'mainnet',
          blockNum: block,
          blockHash: fromPrefixedHex(log.blockHash),
          logIndex: log.index,
          contract: fromPrefixedHex(String(vault.target).toLowerCase()),
        },
        time: timestamp,
        nonce: args.nonce,
        token: fromPrefixedHex(String(args.token).toLowerCase()),
        canonical: args.canonical,
        telosTo: args.telosTo,
        memo: fromPrefixedHex(args.memo),
      }
    })
  }

  async idle(blocks: number): Promise<void> {
    for (let i = 0; i < blocks; i++) await this.rpc('evm_mine')
  }

  /** A beacon chain over the blocks since the set-up. */
  async beacon(options: Omit<SimulatedBeaconOptions, 'genesisTime'> = {}): Promise<SimulatedBeacon> {
    const head = await this.side.anvil.provider.getBlockNumber()
    const headers: JsonHeader[] = []
    for (let num = this.#first; num <= head; num++)
      headers.push(await this.rpc('eth_getBlockByNumber', `0x${num.toString(16)}`, false))
    const beacon = new SimulatedBeacon({ genesisTime: Number(headers[0]!.timestamp), ...options })
    for (const header of headers) beacon.append(executionHeader(header))
    return beacon
  }
}

/** @returns URL of a beacon node */
export function serveBeacon(t: Test, beacon: SimulatedBeacon): Promise<string> {
  return listening(t, beaconServer(beacon, 1))
}

async function listening(t: Test, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
