// The bridge's contracts on a local EVM with a ledger that burns, a bridge API that serves what is pending there, and
// settings of a relayer for them.
import { chmodSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { HDNodeWallet, ZeroAddress } from 'ethers'
import type { Test } from 'tap'
import { loadConfig } from '../../config/load.ts'
import { DEVNET_MNEMONIC } from '../../devnet/evm/accounts.ts'
import { certificateVerifier } from '../../proofs/certificates.ts'
import type { WithdrawalProof } from '../../proofs/json.ts'
import { handoffsAhead, proveWithdrawal } from '../../proofs/prove.ts'
import type { PendingWithdrawal, PendingWork } from '../../relay/pending.ts'
import type { RelayOptions } from '../../relay/start.ts'
import { EvmSide } from '../proofs/destination.ts'
import { LEDGER, Telos } from '../proofs/telos.ts'

const RELAYER = HDNodeWallet.fromPhrase(DEVNET_MNEMONIC, undefined, "m/44'/60'/0'/0/1")
/** Of a second relayer. */
export const OTHER = HDNodeWallet.fromPhrase(DEVNET_MNEMONIC, undefined, "m/44'/60'/0'/0/2")
export const ADDRESS = RELAYER.address.toLowerCase()
export const RECIPIENT = '0x00000000000000000000000000000000000000aa'

const TELOS_ID = '4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11'

type Config = RelayOptions['config']

export interface Scene {
  evm: EvmSide
  /** Burns, and lists the withdrawal as pending. @returns its key */
  burn(symbol: 'USDC' | 'ETH', amount: bigint, more?: { recipient?: string; fee?: bigint }): Promise<string>
  /** Changes the ledger's finalizers: the next root needs a hand-off. A test sets `handoffMarginSeconds` to send it before. */
  rotate(finalizers: number[]): void
  /** Keys that the API lists. */
  listed: Set<string>
  /** Changes a proof before it is served. */
  tamper: (proof: WithdrawalProof) => WithdrawalProof
  /** Changes an entry before it is listed. */
  list: (entry: PendingWithdrawal) => PendingWithdrawal
  /** Settings with the key, for a database. */
  config(relay?: Partial<Config['relay']>): Config
  rpc<T>(method: string, ...params: unknown[]): Promise<T>
  /** Transactions of the relayer in blocks. */
  sent(): Promise<number>
  /** Payouts of a withdrawal by the vault. */
  paid(key: string): Promise<number>
}

export async function startScene(t: Test): Promise<Scene> {
  const evm = await EvmSide.open(1, new Telos([]).chain.genesisPolicy())
  t.teardown(() => evm.anvil.stop())
  const telos = new Telos(evm.routes)
  const verify = certificateVerifier()
  const entries = new Map<string, PendingWithdrawal>()
  const listed = new Set<string>()
  const provider = evm.anvil.provider
  const proving = { source: telos.store, verify, ledger: LEDGER }
  const prove = async (key: string): Promise<WithdrawalProof | null> =>
    (await proveWithdrawal(proving, BigInt(key.slice(2)), await evm.destination()))?.proof ?? null
  const pending = async (): Promise<PendingWork> => {
    const list: PendingWithdrawal[] = []
    for (const key of listed) {
      const entry = entries.get(key)!
      const hasRoot = (await prove(key))?.light !== null
      const estimatedGas = { light: hasRoot ? 180_000 : null, hard: 1_300_000, handoffs: 0 }
      list.push(scene.list({ ...entry, estimatedGas }))
    }
    return { pending: list, deposits: [], settlements: [], hops: [] }
  }
  const answer = async (path: string): Promise<unknown> => {
    if (path.startsWith('/v1/pending')) {
      return { ...(await pending()), next: { pending: null, deposits: null, settlements: null, hops: null } }
    }
    if (path.startsWith('/v1/proofs/d'))
      return [{ account: 'gateway.evm', name: 'credit', authorization: [], data: '00', decoded: {} }]
    if (path === '/v1/handoffs/1') {
      const { lightClient, ...knows } = await evm.destination()
      return { lightClients: [{ lightClient, newest: knows.newest, handoffs: await handoffsAhead(proving, knows) }] }
    }
    const proof = await prove(decodeURIComponent(path.replace('/v1/proofs/', '')))
    return proof && scene.tamper(proof)
  }
  const server = createServer((request, response) => {
    // The node refuses a call for the block that it makes at this moment.
    answer(request.url ?? '').then(
      (body) => response.writeHead(body === null ? 404 : 200).end(JSON.stringify(body)),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  const ledger = await startLedgerNode(t, evm)
  const keyFile = join(t.testdir({ key: RELAYER.privateKey }), 'key')
  chmodSync(keyFile, 0o600)
  const scene: Scene = {
    evm,
    listed,
    tamper: (proof) => proof,
    list: (entry) => entry,
    async burn(symbol, amount, { recipient = RECIPIENT, fee = 0n } = {}) {
      const id = telos.withdraw(symbol, amount, 1, recipient, fee)
      telos.idle(2)
      telos.follow()
      const key = `w:${id}`
      const precision = symbol === 'USDC' ? 6 : 8
      const now = Math.floor(Date.now() / 1000)
      entries.set(key, {
        ...{ key, action: 'release', id: `${id}`, domain: '1', releaseTo: `${evm.withdrawals.target}`, recipient },
        ...{
          token: `${symbol === 'ETH' ? ZeroAddress : evm.token.target}`.toLowerCase(),
          symbol,
          amount: `${amount}`,
          precision,
          fee: `${fee}`,
        },
        ...{ deadline: now + 100_000, estimatedGas: null, fits: true, hasProof: true, src_time: now + entries.size },
      })
      listed.add(key)
      return key
    },
    rotate(finalizers) {
      telos.produce({ finalizers })
      telos.idle(8)
      telos.follow()
    },
    config(relay = {}) {
      const { config } = loadConfig({ env: {}, program: { chains: ['telos', 'mainnet'] } })
      const { port } = server.address() as AddressInfo
      // Without light clients: the relayer reads them from the withdrawals contract.
      const contracts = { vaults: [], withdrawals: [`${evm.withdrawals.target}`.toLowerCase()], lightClients: [] }
      const chains = config.evm.map((chain) => ({ ...chain, contracts }))
      const nodes = [`mainnet=${provider._getConnection().url}`, `telos=${ledger}`]
      // The clock of both chains is that of January: their blocks are old, and deadlines of proofs are over.
      const clock = { maxLagSeconds: 1e9, marginSeconds: -1e9, handoffMarginSeconds: 0 }
      const fast = { pollSeconds: 0.05, port: 0, ...clock, prices: ['USDC=1', 'ETH=2500'] }
      const own = { api: `http://127.0.0.1:${port}/v1`, evmKeyFile: keyFile, chains: ['mainnet'], nodes }
      return {
        ...config,
        evm: chains,
        relay: { ...config.relay, ...fast, ...own, policy: 'always', gasUsdDay: 1e6, ...relay },
      }
    },
    rpc: (method, ...params) => provider.send(method, params),
    sent: () => provider.getTransactionCount(RELAYER.address, 'latest'),
    paid: async (key) => {
      const filter = evm.vault.filters.Released!(BigInt(key.slice(2)))
      return (await evm.vault.queryFilter(filter)).length
    },
  }
  return scene
}

/** A node that has the routes of the ledger, with the token of the vault and the coin. @returns its URL */
async function startLedgerNode(t: Test, { routes }: EvmSide): Promise<string> {
  const precision = { USDC: 6, ETH: 8 }
  const rows = routes.map(({ domain, token, symbol }) => {
    const wrapped = { sym: `${precision[symbol]},${symbol}`, contract: 'wrap.svc' }
    return { domain: String(domain), token: token.slice(2).toLowerCase(), wrapped }
  })
  const info = {
    ...{ chain_id: TELOS_ID, head_block_time: '2026-01-01T00:00:00.000', last_irreversible_block_num: 1 },
    ...{ last_irreversible_block_id: '00'.repeat(32), last_irreversible_block_time: '2026-01-01T00:00:00.000' },
  }
  const server = createServer((request, response) => {
    const answer = request.url === '/v1/chain/get_table_rows' ? { rows } : info
    response.writeHead(200, { connection: 'close' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
