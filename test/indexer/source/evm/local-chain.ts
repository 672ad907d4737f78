// A real EVM node for tests on loopback. Its contracts log any event on request: events of the bridge's contracts
// without their rules.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Interface } from 'ethers'
import { nameToU64 } from '../../../../core/antelope/name.ts'
import { integerBytes } from '../../../../core/evm/bytes.ts'
import { fromHex, toHex } from '../../../../core/hex.ts'

const PROGRAM = fileURLToPath(new URL('../../../../node_modules/.bin/anvil', import.meta.url))

/** Runs a program until its standard input closes, which happens when the starting process ends in any way. */
const GUARD = '"$0" "$@" & program=$!; cat; kill $program; wait $program'

/**
 * Logs with the topics and data of its input: a word with the number of topics, four words of topics, data.
 * size = calldatasize - 160; copy the data to memory; push the topics; LOGn by the number.
 */
const LOGGER = [
  '60a03603',
  '8060a0600037',
  '608035',
  '606035',
  '604035',
  '602035',
  '600035',
  '80600114603457',
  '80600214603b57',
  '80600314604257',
  '50',
  '846000a400',
  '5b50846000a100',
  '5b50846000a200',
  '5b50846000a300',
].join('')

export const ABIS = {
  vault: abi('SvcVault'),
  withdrawals: abi('SvcWithdrawals'),
  lightclient: abi('SvcLightClient'),
}
export type Role = keyof typeof ABIS

export interface Sent {
  blockNum: number
  /** 64 hex digits. */
  trxId: string
}

export class LocalChain {
  readonly url: string
  readonly chainId: number
  /** Addresses by role. */
  readonly contracts: Record<Role, string> = { vault: '', withdrawals: '', lightclient: '' }
  private account = ''

  private constructor(url: string, chainId: number) {
    this.url = url
    this.chainId = chainId
  }

  /**
   * Starts the node; it ends with the test. Every transaction makes a block; the final block is two below the head.
   *
   * @param base  a node whose blocks so far the new node shares; it then gets no contracts of its own
   */
  static async start(
    t: { teardown(work: () => Promise<void>): void },
    chainId = 1,
    base?: LocalChain,
  ): Promise<LocalChain> {
    const options = ['--host', '127.0.0.1', '--port', '0', '--chain-id', `${chainId}`, '--slots-in-an-epoch', '1']
    if (base) options.push('--fork-url', base.url)
    const child = spawn('sh', ['-c', GUARD, PROGRAM, ...options, '--accounts', '1', '--hardfork', 'prague'])
    t.teardown(() => ended(child))
    const chain = new LocalChain(`http://127.0.0.1:${await port(child)}`, chainId)
    ;[chain.account] = await chain.rpc<[string]>('eth_accounts')
    for (const role of base ? [] : (Object.keys(ABIS) as Role[])) chain.contracts[role] = await chain.deploy()
    return chain
  }

  async rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(this.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  async head(): Promise<number> {
    return Number(await this.rpc<string>('eth_blockNumber'))
  }

  /** Mines empty blocks. */
  async mine(count: number): Promise<void> {
    await this.rpc('anvil_mine', `0x${count.toString(16)}`)
  }

  /** Replaces the newest blocks by empty ones. */
  async replace(depth: number): Promise<void> {
    await this.rpc('anvil_reorg', depth, [])
  }

  /** Logs an event in a block of its own. */
  log(role: Role, event: string, values: readonly unknown[], more: object = {}): Promise<Sent> {
    const { topics, data } = ABIS[role].encodeEventLog(event, values)
    return this.raw(role, topics, data, more)
  }

  /** Logs several events in one block. */
  async logTogether(events: readonly [role: Role, event: string, values: readonly unknown[]][]): Promise<Sent[]> {
    await this.rpc('evm_setAutomine', false)
    // The node would give concurrent transactions the same nonce.
    const first = Number(await this.rpc<string>('eth_getTransactionCount', this.account, 'pending'))
    const numbered = (i: number) => ({ nonce: `0x${(first + i).toString(16)}` })
    const sent = events.map(([role, event, values], i) => this.log(role, event, values, numbered(i)))
    while (Number((await this.rpc<{ pending: string }>('txpool_status')).pending) < events.length)
      await new Promise((resolve) => setTimeout(resolve, 5))
    await this.mine(1)
    await this.rpc('evm_setAutomine', true)
    return Promise.all(sent)
  }

  async raw(role: Role, topics: readonly string[], data: string, more: object = {}): Promise<Sent> {
    const words = [word(topics.length), ...[0, 1, 2, 3].map((i) => topics[i]?.slice(2) ?? word(0))]
    return this.send({ to: this.contracts[role], data: `0x${words.join('')}${data.slice(2)}`, ...more })
  }

  private async deploy(): Promise<string> {
    const size = toHex(integerBytes(LOGGER.length / 2)).padStart(4, '0')
    const { trxId } = await this.send({ data: `0x61${size}80600c6000396000f3${LOGGER}` })
    const receipt = await this.rpc<{ contractAddress: string }>('eth_getTransactionReceipt', `0x${trxId}`)
    return receipt.contractAddress.toLowerCase()
  }

  private async send(transaction: object): Promise<Sent> {
    const hash = await this.rpc<string>('eth_sendTransaction', { from: this.account, gas: '0x200000', ...transaction })
    for (;;) {
      const receipt = await this.rpc<Receipt | null>('eth_getTransactionReceipt', hash)
      if (receipt?.status === '0x1') return { blockNum: Number(receipt.blockNumber), trxId: hash.slice(2) }
      if (receipt !== null) throw new Error(`the transaction ${hash} failed`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

interface Receipt {
  status: string
  blockNumber: string
}

/** A Deposit of the vault with this nonce. */
export function depositValues(nonce: number, more: { telosTo?: bigint; memo?: string; from?: string } = {}): unknown[] {
  const { telosTo = nameToU64('alice'), memo = '', from = `0x${'a1'.repeat(20)}` } = more
  const token = `0x${'70'.repeat(20)}`
  return [
    token,
    from,
    1_000_000n + BigInt(nonce),
    1_000_000n,
    telosTo,
    nonce,
    from,
    0n,
    0n,
    `0x${Buffer.from(memo).toString('hex')}`,
  ]
}

function abi(name: string): Interface {
  return new Interface(readFileSync(new URL(`../../../../abis/${name}.abi.json`, import.meta.url), 'utf8'))
}

function word(value: number): string {
  return value.toString(16).padStart(64, '0')
}

/** The port, from the program's output. */
function port(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${text}`)))
    const read = (chunk: Buffer) => {
      text += chunk
      const found = /Listening on [^\s:]+:(\d+)/.exec(text)
      if (found) resolve(Number(found[1]))
    }
    child.stdout!.on('data', read)
    child.stderr!.on('data', read)
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.stdin!.end()
  await exit
}

/** The contract is assembled by hand, so its jump targets depend on this length. */
if (fromHex(LOGGER).length !== 73) throw new Error(`the logger has ${fromHex(LOGGER).length} bytes`)
