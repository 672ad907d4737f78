// A bridge from a live ledger to a live EVM chain: indexer, API and relayer, with a withdrawal now and then.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HDNodeWallet } from 'ethers'
import { DEVNET_MNEMONIC } from '../../../devnet/evm/accounts.ts'
import { startHttp } from '../../../devnet/http/server.ts'
import { startShip } from '../../../devnet/ship/server.ts'
import { MemoryStore } from '../../../proofs/memory-store.ts'
import { start } from '../../bin/program.ts'
import { EvmSide } from '../../proofs/destination.ts'
import { Telos } from '../../proofs/telos.ts'
import { freePort } from '../../support/debian-server.ts'
import { until } from '../../support/until.ts'
import { type Front, startFront } from './front.ts'
import { everyHalfSecond } from './live.ts'
import { opened, type Place, untilReady } from './place.ts'
import { placeServer } from './server.ts'

const RELAYER = HDNodeWallet.fromPhrase(DEVNET_MNEMONIC, undefined, "m/44'/60'/0'/0/1")
export const RELAYER_ADDRESS = RELAYER.address
const RECIPIENT = '0x00000000000000000000000000000000000000aa'
/** Time in which a withdrawal can be released, seconds. */
export const RELEASE_SECONDS = 7200
/** Age of the newest block above which the relayer does not use a node. */
export const MAX_LAG_SECONDS = 60
/** Between blocks of the EVM chain. */
export const EVM_SECONDS = 2
/** Blocks after which an EVM block is final there. */
const UNTIL_FINAL = 80
/** Between two withdrawals, ms. */
const WITHDRAW_MS = 20_000

const RELAY = {
  HEADWATER_RELAY_CHAINS: 'mainnet',
  HEADWATER_RELAY_POLICY: 'always',
  HEADWATER_RELAY_PRICES: 'USDC=1,ETH=2500',
  HEADWATER_RELAY_MAX_LAG_SECONDS: `${MAX_LAG_SECONDS}`,
}

export interface BridgePlace extends Place {
  evm: EvmSide
  /** Between the relayer and the bridge API. */
  apiFront: Front
  /** Between indexer, API and relayer and the node of the EVM chain. */
  evmFront: Front
  /** URL of the bridge API. */
  api: string
  databaseUrl: string
  rpc<T>(method: string, ...params: unknown[]): Promise<T>
  /** Burns tokens. @returns key of the withdrawal */
  withdraw(): string
  /** Waits until the API serves the proof of a withdrawal. */
  proven(key: string): Promise<void>
  /** Stops the relayer's sending, or lets it go on. */
  setStopped(isStopped: boolean): void
}

export const openBridgePlace = () => opened<BridgePlace>(bridgePlace)

async function bridgePlace(atEnd: (work: () => unknown) => void): Promise<Omit<BridgePlace, 'close'>> {
  const now = Math.floor(Date.now() / 1000)
  const clock = { startTime: (now - 60) * 1000, releaseSeconds: RELEASE_SECONDS }
  const server = await placeServer()
  atEnd(() => server.stop())
  // The first policy does not depend on the routes, which the contracts on the EVM chain decide.
  const evm = await EvmSide.open(1, new Telos([], 4, new MemoryStore(), clock).chain.genesisPolicy(), now - 400)
  atEnd(() => evm.anvil.stop())
  const telos = new Telos(evm.routes, 4, new MemoryStore(), clock)
  const { provider } = evm.anvil
  const rpc = <T>(method: string, ...params: unknown[]): Promise<T> => provider.send(method, params)
  await rpc('anvil_mine', `0x${UNTIL_FINAL.toString(16)}`)
  await rpc('evm_setTime', Math.floor(Date.now() / 1000))
  await rpc('evm_setIntervalMining', EVM_SECONDS)
  atEnd(
    everyHalfSecond((time) => {
      if (time > telos.chain.headTime) telos.produce({ time })
    }),
  )
  const [ship, http] = await Promise.all([startShip(telos.chain), startHttp(telos.chain)])
  const evmFront = await startFront(provider._getConnection().url)
  atEnd(async () => {
    evmFront.stop()
    await Promise.all([ship.stop(), http.stop()])
  })
  const [metrics, apiPort, relayPort] = await Promise.all([freePort(), freePort(), freePort()])
  const at = (port: number) => `http://127.0.0.1:${port}`
  const api = `${at(apiPort)}/api/bridge/v1`
  const apiFront = await startFront(api)
  atEnd(() => apiFront.stop())
  const program = (args: string[], env: Record<string, string>) => {
    const running = start(args, env)
    atEnd(() => running.child.kill('SIGKILL'))
    return running
  }
  const env = { DATABASE_URL: server.url, ...chainSettings(evm, { ship: ship.url, http: http.url, evm: evmFront.url }) }
  const keyFile = join(server.folder, 'relayer.key')
  writeFileSync(keyFile, `${RELAYER.privateKey}\n`, { mode: 0o600 })
  const stopFile = join(server.folder, 'stop')
  program(['index', '--metrics-port', `${metrics}`], env)
  await untilReady(at(apiPort), program(['api'], { ...env, PORT: `${apiPort}` }))
  const nodes = `mainnet=${evmFront.url},telos=${http.url}`
  const relayer = program(['relay'], {
    ...{ ...env, ...RELAY, HEADWATER_RELAY_API: apiFront.url, HEADWATER_RELAY_NODES: nodes },
    ...{ HEADWATER_RELAY_EVM_KEY_FILE: keyFile, HEADWATER_RELAY_STOP_FILE: stopFile },
    HEADWATER_RELAY_PORT: `${relayPort}`,
  })
  const withdraw = () => `w:${telos.withdraw('USDC', 1_000_000n, 1, RECIPIENT)}`
  await untilReady(at(relayPort), relayer, '/metrics')
  const first = withdraw()
  const isPaid = async () =>
    (await evm.vault.queryFilter(evm.vault.filters.Released!(BigInt(first.slice(2))))).length > 0
  await until(() => `the first release: ${relayer.output.stderr.slice(-3000)}`, isPaid, 500)
  const withdrawing = setInterval(withdraw, WITHDRAW_MS)
  atEnd(() => clearInterval(withdrawing))
  return {
    ...{ evm, apiFront, evmFront, api, rpc, withdraw },
    databaseUrl: server.url,
    targets: [
      { job: 'indexer', instance: 'indexer:7701', url: () => at(metrics) },
      { job: 'api', instance: 'api:7700', url: () => at(apiPort) },
      { job: 'relay', instance: 'relay:7703', url: () => at(relayPort) },
    ],
    async proven(key) {
      await until(`the proof of ${key}`, async () => (await fetch(`${api}/proofs/${encodeURIComponent(key)}`)).ok, 500)
    },
    setStopped(isStopped) {
      if (isStopped) writeFileSync(stopFile, '')
      else if (existsSync(stopFile)) rmSync(stopFile)
    },
  }
}

/** @param nodes  URLs */
function chainSettings(evm: EvmSide, nodes: { ship: string; http: string; evm: string }): Record<string, string> {
  return {
    HEADWATER_CHAINS: 'telos,mainnet',
    HEADWATER_TELOS_SOURCE_URLS: nodes.ship,
    HEADWATER_TELOS_SOURCE_HTTP: nodes.http,
    HEADWATER_TELOS_ACCOUNTS_GATEWAYS: JSON.stringify([{ account: 'gateway.evm', domain: '1' }]),
    HEADWATER_MAINNET_SOURCE_URLS: nodes.evm,
    HEADWATER_MAINNET_CONTRACTS_VAULTS: `${evm.vault.target}`.toLowerCase(),
    HEADWATER_MAINNET_CONTRACTS_WITHDRAWALS: `${evm.withdrawals.target}`.toLowerCase(),
    HEADWATER_MAINNET_CONTRACTS_LIGHT_CLIENTS: `${evm.lightClient.target}`.toLowerCase(),
  }
}
