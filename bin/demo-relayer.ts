// The demo's relayer, `headwater relay` with keys of the devnet, and simulated users of the bridge: child processes that
// end with this one.
import { fork } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PrivateKey } from '@wharfkit/antelope'
import { HDNodeWallet } from 'ethers'
import { loadConfig } from '../config/load.ts'
import { BRIDGE, GATEWAYS, HOP, WRAP } from '../devnet/contracts/exchange.ts'
import { telosProfile } from '../devnet/contracts/profile.ts'
import { DEVNET_MNEMONIC, RELAYER_INDEX, SLEEPERS, VISITOR_ADDRESS } from '../devnet/evm/accounts.ts'
import { forkSource } from '../devnet/fork-source.ts'
import { RELAYER_PERMISSION, setUpRelayer } from '../devnet/relayer/account.ts'
import { AntelopeNode } from '../devnet/relayer/antelope-node.ts'
import type { Log } from './cli/log.ts'
import { keepDemoChild } from './demo-child.ts'

/** Configuration of the demo's chains. */
const FOLDER = fileURLToPath(new URL('../config/demo/', import.meta.url))
/** Interval between journeys over the bridge, seconds. */
const JOURNEY_SECONDS = 15

export interface RelayerPlaces {
  /** URL of the bridge API. */
  api: string
  telos: string
  wax: string
  evm: string
  beacon: string
}

export interface DemoRelayerOptions {
  places: RelayerPlaces
  /** Folder of the key files. */
  dataDir: string
  databaseUrl: string
}

/** @returns a function that stops relayer and users */
export function startDemoRelayer({ places, dataDir, databaseUrl }: DemoRelayerOptions, log: Log): () => void {
  const stops: (() => void)[] = []
  let isStopped = false
  setUpRelayerAccounts(places, dataDir).then(
    () => {
      if (isStopped) return
      const settings = relayerSettings(places, dataDir)
      const start = () =>
        fork(fileURLToPath(new URL('headwater.js', import.meta.url)), ['relay'], {
          execArgv: [],
          env: { ...process.env, DATABASE_URL: databaseUrl, ...settings },
          stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
        })
      stops.push(keepDemoChild({ name: 'relayer', start, log: 'stderr' }, log))
    },
    (error: Error) => {
      if (!isStopped) log.warn('the relayer of the demo has no account', { reason: error.message })
    },
  )
  const script = new URL('../devnet/relayer/users.ts', import.meta.url)
  const options = Object.entries({ ...places, every: JOURNEY_SECONDS }).flatMap(([name, value]) => [
    `--${name}`,
    `${value}`,
  ])
  const startUsers = () => forkSource(script, options, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  stops.push(keepDemoChild({ name: 'users', start: startUsers, log: 'stdout' }, log))
  return () => {
    isStopped = true
    for (const stop of stops) stop()
  }
}

/** Gives the relayer's account its permission on both chains. @throws NodeError */
export async function setUpRelayerAccounts(
  { telos, wax }: Pick<RelayerPlaces, 'telos' | 'wax'>,
  dataDir: string,
): Promise<void> {
  const key = readFileSync(keyFiles(dataDir).antelope, 'utf8').trim()
  const publicKey = String(PrivateKey.from(key).toPublic())
  await setUpRelayer(new AntelopeNode(telos), publicKey, [BRIDGE, HOP, ...Object.values(GATEWAYS)])
  await setUpRelayer(new AntelopeNode(wax), publicKey, [BRIDGE])
}

/** Settings of a relayer of the devnet: everything is relayed, even at a loss. */
export function relayerSettings(
  { api, telos, wax, evm }: Omit<RelayerPlaces, 'beacon'>,
  dataDir: string,
): Record<string, string> {
  const keys = keyFiles(dataDir)
  const prices = telosProfile.tokens
    .filter(({ contract }) => contract === WRAP)
    .map(({ code, usd }) => `${code}=${usd}`)
  return {
    HEADWATER_CHAINS: 'wax,telos,mainnet',
    ...contractSettings(),
    HEADWATER_RELAY_API: api,
    HEADWATER_RELAY_NODES: `telos=${telos},wax=${wax},mainnet=${evm}`,
    HEADWATER_RELAY_EVM_KEY_FILE: keys.evm,
    HEADWATER_RELAY_ANTELOPE_KEY_FILE: keys.antelope,
    HEADWATER_RELAY_PERMISSION: RELAYER_PERMISSION,
    HEADWATER_RELAY_POLICY: 'always',
    HEADWATER_RELAY_OUTCOMES: 'position',
    HEADWATER_RELAY_DENY: [...SLEEPERS, VISITOR_ADDRESS].join(','),
    HEADWATER_RELAY_PRICES: prices.join(','),
    HEADWATER_RELAY_GAS_USD_DAY: '1000000',
    HEADWATER_RELAY_MARGIN_SECONDS: '0',
    HEADWATER_RELAY_POLL_SECONDS: '1',
    HEADWATER_RELAY_PORT: '0',
  }
}

/** The contracts of the demo, on which alone the relayer acts. */
function contractSettings(): Record<string, string> {
  const { chains, evm } = loadConfig({ env: {}, folder: FOLDER, program: { chains: ['telos', 'mainnet'] } }).config
  const gateways = chains.flatMap(({ accounts }) =>
    accounts.gateways.map(({ account, domain }) => ({ account, domain: String(domain) })),
  )
  const { vaults = [], withdrawals = [], lightClients = [] } = evm[0]?.contracts ?? {}
  return {
    HEADWATER_MAINNET_CONTRACTS_VAULTS: vaults.join(','),
    HEADWATER_TELOS_ACCOUNTS_GATEWAYS: JSON.stringify(gateways),
    HEADWATER_MAINNET_CONTRACTS_WITHDRAWALS: withdrawals.join(','),
    HEADWATER_MAINNET_CONTRACTS_LIGHT_CLIENTS: lightClients.join(','),
  }
}

/** Files with the keys of the devnet's relayer, made at the first start, readable only by their owner. */
function keyFiles(dataDir: string): { evm: string; antelope: string } {
  mkdirSync(dataDir, { recursive: true })
  const { privateKey } = HDNodeWallet.fromPhrase(DEVNET_MNEMONIC, undefined, `m/44'/60'/0'/0/${RELAYER_INDEX}`)
  return {
    evm: keyFile(join(dataDir, 'demo-relayer-evm.key'), privateKey),
    antelope: keyFile(join(dataDir, 'demo-relayer.key'), String(PrivateKey.generate('K1'))),
  }
}

function keyFile(path: string, key: string): string {
  try {
    writeFileSync(path, `${key}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return path
}
