// Contracts of the bridge on a local EVM with tokens in the vault, as the destination of proofs.
import { type Contract, type EventLog, ZeroAddress } from 'ethers'
import { type FinalizerPolicy, packFinalizerPolicy } from '../../core/finality/finalizer-policy.ts'
import type { HardProof, SubmitRootArguments } from '../../proofs/json.ts'
import type { Destination, StoredRoot } from '../../proofs/prove.ts'
import { Anvil, type Sent } from '../contracts/anvil.ts'
import { LEDGER_NAMES, type Route, START } from './telos.ts'

/** The order of the arguments of `submitRoot`. */
export const rootArguments = ({ finality, bits, signature, policyKeys, pending }: SubmitRootArguments): unknown[] => [
  finality,
  bits,
  signature,
  policyKeys,
  pending,
]

export class EvmSide {
  readonly anvil: Anvil
  readonly chainId: number
  readonly token: Contract
  readonly vault: Contract
  readonly lightClient: Contract
  readonly withdrawals: Contract

  private constructor(anvil: Anvil, chainId: number, [token, vault, lightClient, withdrawals]: Contract[]) {
    this.anvil = anvil
    this.chainId = chainId
    this.token = token!
    this.vault = vault!
    this.lightClient = lightClient!
    this.withdrawals = withdrawals!
  }

  /**
   * @param policy  first policy of the light client
   * @param time    Unix seconds of the first block
   */
  static async open(chainId: number, policy: FinalizerPolicy, time = START / 1000): Promise<EvmSide> {
    const anvil = await Anvil.start({ chainId, time })
    try {
      return new EvmSide(anvil, chainId, await deployAll(anvil, policy))
    } catch (error) {
      await anvil.stop()
      throw error
    }
  }

  /** The same chain with another light client, which starts from another policy, and contracts that use it. */
  static async onSameNode({ anvil, chainId }: EvmSide, policy: FinalizerPolicy): Promise<EvmSide> {
    return new EvmSide(anvil, chainId, await deployAll(anvil, policy))
  }

  get routes(): Route[] {
    const place = { domain: this.chainId, vault: this.vault.target as string }
    return [
      { ...place, token: this.token.target as string, symbol: 'USDC', scale: 1n },
      { ...place, token: ZeroAddress, symbol: 'ETH', scale: 10n ** 10n },
    ]
  }

  /** The light client's knowledge, read from its events. */
  async destination(): Promise<Destination> {
    const events = await this.lightClient.queryFilter('RootStored')
    const roots = events.map((event): StoredRoot => {
      const { root, lastBlock } = (event as EventLog).args
      return { root: (root as string).slice(2), lastBlock: Number(lastBlock) }
    })
    return {
      releaseTo: this.withdrawals.target as string,
      vault: this.vault.target as string,
      lightClient: this.lightClient.target as string,
      roots,
      generation: Number(await this.lightClient.getFunction('generation')()),
      newest: Number(await this.lightClient.getFunction('newest')()),
    }
  }

  /** Sends the handovers of a hard proof, then the proof. */
  async submit(proof: HardProof, method: 'submitAndRelease' | 'submitAndExpire' = 'submitAndRelease'): Promise<Sent> {
    for (const { submitRoot, learn } of proof.handoffs) {
      await this.anvil.send(this.lightClient, 'submitAndLearn', ...rootArguments(submitRoot), learn)
    }
    return this.anvil.send(this.withdrawals, method, ...rootArguments(proof.submitRoot), proof.release)
  }

  refusal({ submitRoot, release }: HardProof, method = 'submitAndRelease'): Promise<string | null> {
    return this.anvil.refusal(this.withdrawals, method, ...rootArguments(submitRoot), release)
  }
}

async function deployAll(anvil: Anvil, policy: FinalizerPolicy): Promise<Contract[]> {
  const token = await anvil.deploy('PlainToken', 'USDC', 6, 10n ** 15n)
  const vault = await anvil.deploy('SvcVault', 1)
  const lightClient = await anvil.deploy('SvcLightClient', packFinalizerPolicy(policy))
  const withdrawals = await anvil.deploy('SvcWithdrawals', lightClient.target, vault.target, ...LEDGER_NAMES)
  await anvil.send(vault, 'setReleaser', withdrawals.target)
  await anvil.send(vault, 'setAsset', token.target, 1, 10n ** 15n, true, 1)
  await anvil.send(vault, 'setAsset', ZeroAddress, 10n ** 10n, 10n ** 24n, true, 1)
  await anvil.send(vault, 'setLimit', token.target, 10n ** 12n)
  await anvil.send(vault, 'setLimit', ZeroAddress, await vault.getFunction('UNLIMITED')())
  await anvil.send(token, 'transfer', vault.target, 10n ** 13n)
  const deposit = [1, await anvil.sender.getAddress(), 0, 0, '0x']
  await anvil.send(vault, 'depositNative', ...deposit, { value: 10n ** 20n })
  return [token, vault, lightClient, withdrawals]
}

/** Decodes the events of a receipt that one contract emitted. */
export function eventsOf({ receipt }: Sent, contract: Contract): { name: string; args: Record<string, unknown> }[] {
  return receipt.logs.flatMap((log) => {
    const parsed = log.address === contract.target ? contract.interface.parseLog(log) : null
    return parsed ? [{ name: parsed.name, args: parsed.args.toObject() }] : []
  })
}
