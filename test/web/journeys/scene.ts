// A bridge for tests of journeys: routes and chains in the API's form, and a transfer's answers that tests change.
import type { ChainsAnswer, JourneyAnswer, RouteAnswer } from '../../../web/bridge/core/answers.ts'
import type { BridgeConfig, ChainAccess } from '../../../web/bridge/core/types.ts'

export const VAULT = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0'
export const USDC = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
export const USDT = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512'
export const NATIVE = `0x${'0'.repeat(40)}`
export const WITHDRAWALS = '0xdc64a140aa3e981100a9beca4e685f962f0cf6c9'
export const LIGHT_CLIENT = '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9'
export const OWNER = '0xDf37F81dAAD2b0327A0A50003740e1C935C70913'
export const WAX = '1181148696416462999'
const TELOS = '5073219243131244279'

const chain = (id: string, name: string, domain: string, evm: boolean): ChainAccess => ({
  id,
  name,
  kind: evm ? 'evm' : 'antelope',
  domain,
  chainId: evm ? Number(domain) : null,
  antelopeId: evm ? null : 'ab'.repeat(32),
  node: `http://${id}.test`,
  explorerTransaction: `https://${id}.test/tx/{tx}`,
  explorerAccount: null,
})

export const CONFIG: BridgeConfig = {
  api: 'http://bridge.test/v1',
  chains: [
    chain('mainnet', 'Ethereum', '1', true),
    chain('telos', 'Telos', TELOS, false),
    chain('wax', 'WAX', WAX, false),
  ],
  walletConnect: null,
  pollSeconds: 10,
}

const timing = { seconds: 60, human: 'about 60 s' }

function route(symbol: string, from: string, to: string, change: Partial<RouteAnswer>): RouteAnswer {
  const precision = symbol === 'ETH' ? 8 : 6
  const limits = { min: '5000000', max: '100000000000', withdrawableNow: '50000000000' }
  const common = {
    symbol,
    precision,
    from,
    to,
    via: null,
    open: true,
    ...limits,
    antelopeToken: 'wrap.svc',
    how: {},
    timing,
  }
  return { ...common, ...change }
}

const ways = (symbol: string, token: string): RouteAnswer[] => {
  const deposit = (telosTo: string, memo: string) => ({ deposit: { contract: VAULT, token, telosTo, memo } })
  const wax = (memo: string) => ({ deposit: { contract: 'bridge.svc', token: 'wrap.svc', telosTo: '<account>', memo } })
  const withdraw = (memo: string) => ({ withdraw: { contract: 'bridge.svc', memo, token: 'wrap.svc' } })
  return [
    route(symbol, 'mainnet', 'telos', { how: deposit('<account>', '') }),
    route(symbol, 'telos', 'mainnet', { how: withdraw('1:0x<address>[:<fee>]') }),
    route(symbol, 'wax', 'telos', { how: wax('<account>') }),
    route(symbol, 'telos', 'wax', { how: withdraw(`${WAX}:<account>`) }),
    route(symbol, 'mainnet', 'wax', { via: 'telos', how: deposit('hop.svc', `${WAX}:<account>|1:<return address>`) }),
    route(symbol, 'wax', 'mainnet', { via: 'telos', how: wax(`hop.svc:1:0x<address>|${WAX}:<return account>`) }),
  ]
}

export const ROUTES: readonly RouteAnswer[] = [...ways('USDC', USDC), ...ways('USDT', USDT), ...ways('ETH', NATIVE)]

const sides = (evm: boolean) => [
  { symbol: 'USDC', token: evm ? USDC : 'wrap.svc', limits: evm ? { scale: '1' } : null },
  { symbol: 'USDT', token: evm ? USDT : 'wrap.svc', limits: evm ? { scale: '1' } : null },
  { symbol: 'ETH', token: evm ? NATIVE : 'wrap.svc', limits: evm ? { scale: '10000000000' } : null },
]

export const CHAINS: ChainsAnswer = {
  sources: [
    {
      id: 'mainnet',
      name: 'Ethereum',
      domain: '1',
      contracts: { vault: VAULT, withdrawals: WITHDRAWALS, lightClient: LIGHT_CLIENT },
      routes: sides(true),
    },
    {
      id: 'wax',
      name: 'WAX',
      domain: WAX,
      contracts: { bridge: 'bridge.svc', wrap: 'wrap.svc' },
      routes: sides(false),
    },
  ],
  ledger: {
    id: 'telos',
    name: 'Telos',
    domain: TELOS,
    contracts: { bridge: 'bridge.svc', hop: 'hop.svc', wrap: 'wrap.svc' },
  },
}

const AUTOMATIC = { actor: 'automatic', action: null, deadline: null } as const

/** A journey over the hop contract that has just begun, with some members changed. */
export function answerOf(change: Partial<JourneyAnswer> = {}): JourneyAnswer {
  return {
    key: 'd:1:42',
    direction: 'hop',
    status: 'arriving',
    progress: { stage: 'waiting for finality on Ethereum', percent: 10, etaSeconds: 700 },
    next: AUTOMATIC,
    from: { chain: 'mainnet', address: OWNER.toLowerCase() },
    to: { chain: 'wax', recipient: 'alice' },
    back: { chain: 'mainnet', recipient: OWNER.toLowerCase() },
    deposit: { symbol: 'USDC', amount: '10000000', precision: 6, src_tx: null },
    src_time: 1_763_000_000,
    warnings: [],
    legs: [{ key: 'd:1:42', status: 'seen', tx: null }],
    ...change,
  }
}

type Next = JourneyAnswer['next']
/** Legs with the given statuses, in order. */
export function legs(...statuses: string[]): JourneyAnswer['legs'] {
  const keys = ['d:1:42', 'w:7', 'w:8']
  return statuses.map((status, i) => ({ key: keys[i] as string, status, tx: null }))
}
export const next = (
  actor: NonNullable<Next>['actor'],
  action: string | null,
  deadline: number | null = null,
): Next => ({
  actor,
  action,
  deadline,
})
