// A local EVM for a test: anvil on its own loopback port, stopped at the end of the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import {
  Contract,
  ContractFactory,
  type ContractTransactionReceipt,
  Interface,
  type InterfaceAbi,
  JsonRpcProvider,
  type JsonRpcSigner,
  type Signer,
} from 'ethers'
import { type ContractName, compiledContracts } from '../../contracts/compile.ts'
import { until } from '../support/until.ts'

const PROGRAM = fileURLToPath(new URL('../../node_modules/.bin/anvil', import.meta.url))
const START_MS = 120_000

export interface AnvilOptions {
  chainId: number
  /** Unix seconds of the first block. */
  time: number
  hardfork?: 'prague' | 'osaka'
}

/** A successful call. */
export interface Sent {
  receipt: ContractTransactionReceipt
  gas: bigint
  /** Bytes of the transaction's data. */
  calldata: number
}

export class Anvil {
  readonly provider: JsonRpcProvider
  readonly sender: JsonRpcSigner
  private readonly child: ChildProcess

  private constructor(child: ChildProcess, provider: JsonRpcProvider, sender: JsonRpcSigner) {
    this.child = child
    this.provider = provider
    this.sender = sender
  }

  static async start({ chainId, time, hardfork = 'prague' }: AnvilOptions): Promise<Anvil> {
    const options = ['--host', '127.0.0.1', '--port', '0', '--hardfork', hardfork, '--chain-id', `${chainId}`]
    const child = spawn(PROGRAM, [...options, '--timestamp', `${time}`, '--accounts', '3'])
    // Also if the test fails before it stops the node.
    const kill = () => child.kill('SIGTERM')
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
    const port = await listening(child)
    const provider = new JsonRpcProvider(`http://127.0.0.1:${port}`, chainId, {
      staticNetwork: true,
      cacheTimeout: -1,
      // Otherwise each request waits 10 ms for others to share a batch with.
      batchMaxCount: 1,
      pollingInterval: 20,
    })
    return new Anvil(child, provider, await provider.getSigner(0))
  }

  async deploy(name: ContractName, ...parameters: unknown[]): Promise<Contract> {
    const { abi, bytecode } = compiledContracts()[name]
    const deployed = await new ContractFactory(abi, bytecode, this.sender).deploy(...parameters)
    await deployed.waitForDeployment()
    return new Contract(await deployed.getAddress(), abi, this.sender)
  }

  /** Sends a call and waits for its block. @throws as ethers does when it is refused */
  async send(contract: Contract, method: string, ...parameters: unknown[]): Promise<Sent> {
    const call = contract.getFunction(method)
    // The call may write more than the estimate saw, for example the decay of a limit during one more second.
    const gasLimit = ((await call.estimateGas(...parameters)) * 5n) / 4n
    const request = await call.populateTransaction(...parameters)
    const transaction = await (contract.runner as Signer).sendTransaction({ ...request, gasLimit })
    const receipt = (await transaction.wait()) as ContractTransactionReceipt
    return { receipt, gas: receipt.gasUsed, calldata: (transaction.data.length - 2) / 2 }
  }

  /** Name of the custom error with which a call reverts; null when it succeeds. Changes nothing. */
  async refusal(contract: Contract, method: string, ...parameters: unknown[]): Promise<string | null> {
    try {
      await contract.getFunction(method).staticCall(...parameters)
      return null
    } catch (error) {
      const { data, message } = error as { data?: string | null; message: string }
      if (typeof data !== 'string') throw new Error(`neither accepted nor reverted: ${message}`)
      return ALL_ERRORS.parseError(data)?.name ?? (data === '0x' ? 'reverted without a reason' : data)
    }
  }

  /** Unix seconds of the next block. */
  async setTime(seconds: number): Promise<void> {
    await this.provider.send('evm_setNextBlockTimestamp', [seconds])
    await this.provider.send('evm_mine', [])
  }

  async snapshot(): Promise<() => Promise<void>> {
    const id = await this.provider.send('evm_snapshot', [])
    return async () => {
      // A mined transaction leaves the pool after its receipt exists. One that is still there would be mined again.
      await until('an empty pool', async () => {
        const { pending, queued } = await this.provider.send('txpool_status', [])
        return Number(pending) + Number(queued) === 0
      })
      await this.provider.send('evm_revert', [id])
    }
  }

  async stop(): Promise<void> {
    this.provider.destroy()
    const ended = new Promise((resolve) => this.child.once('exit', resolve))
    if (this.child.kill('SIGTERM')) await ended
  }
}

/** Errors of one contract appear in calls of another one. */
const ALL_ERRORS = new Interface(
  Object.values(compiledContracts()).flatMap(({ abi }) =>
    (abi as readonly { type: string }[]).filter(({ type }) => type === 'error'),
  ) as InterfaceAbi as object[],
)

/** The port, from what anvil prints. */
function listening(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => reject(new Error(`anvil did not start: ${text}`)), START_MS)
    child.once('error', reject)
    const ended = (code: number | null) => reject(new Error(`anvil ended with ${code}: ${text}`))
    child.once('exit', ended)
    child.stderr!.on('data', (chunk) => {
      text += chunk
    })
    child.stdout!.on('data', (chunk) => {
      text += chunk
      const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(text)?.[1]
      if (!port) return
      clearTimeout(timer)
      child.off('exit', ended)
      resolve(Number(port))
    })
  })
}
