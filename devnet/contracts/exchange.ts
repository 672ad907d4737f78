// The contracts of a simulated exchange, and the transactions that set it up.

import { tickAtSqrtPrice } from '../../core/amm/ticks.ts'
import type { Asset, ExtendedAsset } from '../../core/antelope/asset.ts'
import { symbolCodeToU64 } from '../../core/antelope/asset.ts'
import { nameToU64 } from '../../core/antelope/name.ts'
import { required } from '../../core/required.ts'
import type { ActionCall, Contract } from '../chain/contract.ts'
import { NATIVE_ADDRESS, USDC_ADDRESS, USDT_ADDRESS, VAULT_ADDRESS } from '../evm/addresses.ts'
import { call } from './actions.ts'
import { AmmContract } from './amm/contract.ts'
import type { AmmLayout } from './amm/layout.ts'
import { AntelopeGateway } from './bridge/antelope-gateway.ts'
import { ETHEREUM_DOMAIN, partyBytes, WAX_DOMAIN } from './bridge/domains.ts'
import { EvmGateway } from './bridge/evm-gateway.ts'
import { HopContract } from './bridge/hop.ts'
import { TelosBridge } from './bridge/telos.ts'
import { WaxBridge } from './bridge/wax.ts'
import { WrapContract } from './bridge/wrap.ts'
import { DexContract } from './dex.ts'
import { OracleContract } from './oracle.ts'
import type { PoolSpec, Profile, TokenSpec } from './profile.ts'
import { RegistryContract } from './registry.ts'
import { ShopContract } from './shop.ts'
import { SponsorContract } from './sponsor.ts'
import { TokenContract } from './token.ts'

export const AMM = 'swap.svc'
export const DEX = 'svcdexmain'
export const BRIDGE = 'bridge.svc'
export const WRAP = 'wrap.svc'
export const HOP = 'hop.svc'
export const ORACLE = 'delphioracle'
const REGISTRY = 'tokens.svc'
export const RELAYER = 'relayer.svc'
/** Account of the user who tries the devnet; it has no tokens at first. */
export const VISITOR = 'visitor'
/** Account with the largest position of the largest pool. It only holds, and uses the bridge. It has no tokens at first. */
export const WHALE = 'whale.lp'
/** Account that refuses deliveries without an order number. */
export const SHOP = 'shop.gm'
/** Gateways of the ledger: for the EVM chain and for wax. */
export const GATEWAYS = { evm: 'gateway.evm', wax: 'gateway.wax' } as const

export interface ExchangeOptions {
  /** Default: the newer layout. */
  ammLayout?: AmmLayout
  /** Default: the first layout. */
  dexLayout?: 'first' | 'next'
  /** Set up after the profile, so that their pools, markets and farms have the last ids. */
  extras?: Extras
}

/** Additional tokens, and transactions that use them. */
export interface Extras {
  tokens: readonly TokenSpec[]
  genesis: ActionCall[][]
}

export interface Exchange {
  profile: Profile
  isAccount(name: string): boolean
  contracts: Contract[]
  /** Transactions in order; the first blocks take a few each. */
  genesis: ActionCall[][]
}

/** Builds the exchange of a profile. */
export function buildExchange(profile: Profile, options: ExchangeOptions = {}): Exchange {
  const system = profile.tokens[0] as TokenSpec
  const activeFee = { quantity: amountOf(system, 0), contract: system.contract }
  const known = new Set([...profile.users, 'fees.svc', 'oracle.svc', RELAYER, VISITOR, WHALE])
  const isAccount = (name: string) => known.has(name)
  const contracts: Contract[] = [
    ...tokenContracts(profile, options.extras?.tokens ?? [], isAccount),
    new AmmContract({ layout: options.ammLayout ?? 'newer', activeFee, isAccount }),
    new DexContract({ layout: options.dexLayout ?? 'first' }),
    new OracleContract(),
    new RegistryContract(),
    new ShopContract(SHOP),
    ...bridgeContracts(profile),
  ]
  for (const { account } of contracts) known.add(account)
  return { profile, isAccount, contracts, genesis: [...genesis(profile), ...(options.extras?.genesis ?? [])] }
}

function tokenContracts(
  profile: Profile,
  others: readonly TokenSpec[],
  isAccount: (name: string) => boolean,
): Contract[] {
  const accounts = new Set([...profile.tokens, ...others].map((token) => token.contract))
  accounts.delete(WRAP)
  const wrap = profile.name === 'telos' ? new WrapContract(isAccount) : new TokenContract(WRAP, { isAccount })
  return [...[...accounts].map((account) => new TokenContract(account, { isAccount })), wrap]
}

function bridgeContracts(profile: Profile): Contract[] {
  if (profile.name === 'wax') return [new WaxBridge(RELAYER), new SponsorContract()]
  return [
    new TelosBridge({ gateways: Object.values(GATEWAYS) }),
    new HopContract(),
    new EvmGateway({ account: GATEWAYS.evm, domain: ETHEREUM_DOMAIN, relayer: RELAYER }),
    new AntelopeGateway({ account: GATEWAYS.wax, domain: WAX_DOMAIN, relayer: RELAYER }),
  ]
}

/** Tokens of a profile's chain that the bridge accepts. */
export function bridgedTokens(profile: Profile): TokenSpec[] {
  return profile.tokens.filter(({ contract, code }) => contract === WRAP || (profile.name === 'wax' && code === 'WAX'))
}

/** Looks up a token by its symbol. */
export function tokenOf(profile: Profile, code: string): TokenSpec {
  const token = profile.tokens.find((spec) => spec.code === code)
  if (!token) throw new RangeError(`no token ${code} in the profile ${profile.name}`)
  return token
}

/** Whole tokens as an asset, rounded to raw units. */
export function amountOf({ precision, code }: TokenSpec, whole: number): Asset {
  return { amount: BigInt(Math.round(whole * 10 ** precision)), precision, symbol: code }
}

/** Both tokens of a pool in the contract's order. */
export function sortedPair(profile: Profile, spec: PoolSpec): [TokenSpec, TokenSpec] {
  const [first, second] = spec.pair.map((code) => tokenOf(profile, code)) as [TokenSpec, TokenSpec]
  return sorted(first, second)
}

/** Two tokens in the AMM contract's order. */
export function sorted(first: TokenSpec, second: TokenSpec): [TokenSpec, TokenSpec] {
  const a = nameToU64(first.contract)
  const b = nameToU64(second.contract)
  const inOrder = a !== b ? a < b : symbolCodeToU64(first.code) < symbolCodeToU64(second.code)
  return inOrder ? [first, second] : [second, first]
}

function genesis(profile: Profile): ActionCall[][] {
  const steps: ActionCall[][] = [[call(AMM, 'init', AMM, {})]]
  for (const token of profile.tokens) steps.push(createToken(profile, token))
  for (const [i, spec] of profile.pools.entries()) steps.push(...createPool(sortedPair(profile, spec), spec, BigInt(i)))
  for (const [base, target] of profile.markets)
    steps.push([openMarket(tokenOf(profile, base), tokenOf(profile, target))])
  const { contract, code, precision } = profile.tokens[0] as TokenSpec
  const quantity = amountOf({ contract, code, precision, usd: 0 }, 0)
  const farm = { creator: 'sybil.lp', poolId: 0n, rewardToken: { quantity, contract }, duration: 30 * 86_400 }
  steps.push([call(AMM, 'newincentive', 'sybil.lp', farm)])
  if (profile.name === 'telos') steps.push(...routes(profile))
  else steps.push(...bridgedTokens(profile).map(firstDeposits))
  return steps
}

export function createToken(profile: Profile, token: TokenSpec): ActionCall[] {
  const { contract, code, precision } = token
  const issuer = contract === WRAP ? BRIDGE : contract
  const maximum_supply = { amount: (1n << 62n) - 1n, precision, symbol: code }
  const image = `https://images.example.org/${code.toLowerCase()}.png`
  const entry = { contract, sym: { precision, code }, name: code, image }
  return [
    call(contract, 'create', contract, { issuer, maximum_supply }),
    ...profile.users.map((to) => {
      const quantity = amountOf(token, 2_000_000 / token.usd)
      return call(contract, 'issue', issuer, { to, quantity, memo: 'genesis' })
    }),
    call(REGISTRY, 'settoken', REGISTRY, entry),
  ]
}

/** Creates a pool with two first positions of `trent.lp`, each in its own transaction. */
export function createPool(
  [a, b]: readonly [TokenSpec, TokenSpec],
  spec: Pick<PoolSpec, 'fee' | 'value'>,
  poolId: bigint,
): ActionCall[][] {
  const owner = 'trent.lp'
  const none = (token: TokenSpec): ExtendedAsset => ({ quantity: amountOf(token, 0), contract: token.contract })
  const pool = { account: owner, tokenA: none(a), tokenB: none(b), sqrtPriceX64: firstPrice(a, b), fee: spec.fee }
  const steps = [[call(AMM, 'createpool', owner, pool)]]
  for (const width of [30_000, 6_000])
    steps.push(liquidityAround([a, b], { ...spec, value: spec.value / 2 }, { poolId, owner, width }))
  return steps
}

/** Square root of the price of a pool at the start, Q64.64: raw units of B for one of A. */
function firstPrice(a: TokenSpec, b: TokenSpec): bigint {
  const ratio = (a.usd / 10 ** a.precision / b.usd) * 10 ** b.precision
  return BigInt(Math.round(Math.sqrt(ratio) * 2 ** 64))
}

/**
 * Adds liquidity around the first price of a pool: both tokens with equal value.
 *
 * @param value  of both tokens together, USD
 * @param width  from the middle to each end, ticks
 */
export function liquidityAround(
  [a, b]: readonly [TokenSpec, TokenSpec],
  { fee, value }: Pick<PoolSpec, 'fee' | 'value'>,
  { poolId, owner, width }: { poolId: bigint; owner: string; width: number },
): ActionCall[] {
  const spacing = fee === 500 ? 10 : fee === 3000 ? 60 : 200
  const middle = Math.round(tickAtSqrtPrice(firstPrice(a, b)) / spacing) * spacing
  const reach = Math.round(width / spacing) * spacing
  const desired = [a, b].map((token) => amountOf(token, value / 2 / token.usd)) as [Asset, Asset]
  return addLiquidity({ poolId, owner, tickLower: middle - reach, tickUpper: middle + reach }, [a, b], desired)
}

/** Deposits tokens and adds their liquidity in one transaction. */
export function addLiquidity(
  range: { poolId: bigint; owner: string; tickLower: number; tickUpper: number },
  [a, b]: readonly [TokenSpec, TokenSpec],
  [tokenADesired, tokenBDesired]: readonly [Asset, Asset],
): ActionCall[] {
  const { owner } = range
  const deposit = (contract: string, quantity: Asset) =>
    call(contract, 'transfer', owner, { from: owner, to: AMM, quantity, memo: 'deposit' })
  return [
    ...(tokenADesired.amount > 0n ? [deposit(a.contract, tokenADesired)] : []),
    ...(tokenBDesired.amount > 0n ? [deposit(b.contract, tokenBDesired)] : []),
    call(AMM, 'addliquid', owner, {
      ...range,
      tokenADesired,
      tokenBDesired,
      tokenAMin: { ...tokenADesired, amount: 0n },
      tokenBMin: { ...tokenBDesired, amount: 0n },
      deadline: 0,
    }),
  ]
}

/** @param base, target  as named by the ticker */
export function openMarket(base: TokenSpec, target: TokenSpec): ActionCall {
  // The contract's base is the ticker's target.
  return call(DEX, 'openmarket', DEX, {
    base_con: target.contract,
    base_sym: amountOf(target, 0),
    quote_con: base.contract,
    quote_sym: amountOf(base, 0),
  })
}

/** Bridged tokens on the EVM chain, by symbol. */
export const EVM_TOKENS: Readonly<Record<string, string>> = {
  USDC: USDC_ADDRESS,
  USDT: USDT_ADDRESS,
  ETH: NATIVE_ADDRESS,
}

/** Raw units of the EVM chain per ledger unit. */
const EVM_SCALES: Readonly<Record<string, bigint>> = { USDC: 1n, USDT: 1n, ETH: 10n ** 10n }

/** Address and scale of a token that exists on the EVM chain. @throws RangeError for any other code */
export function evmToken(code: string): { address: string; scale: bigint } {
  const what = `token ${code} on the EVM chain`
  return { address: required(EVM_TOKENS[code], what), scale: required(EVM_SCALES[code], what) }
}

function routes(profile: Profile): ActionCall[][] {
  const wrapped = profile.tokens.filter((token) => token.contract === WRAP)
  const route = (domain: bigint, vault: string, address: string, { code, precision, usd }: TokenSpec, scale: bigint) =>
    call(BRIDGE, 'addroute', BRIDGE, {
      domain,
      vault: partyBytes(domain, vault),
      token: partyBytes(domain, address),
      wrapped: { sym: { precision, code }, contract: WRAP },
      scale,
      min: BigInt(Math.round((5 / usd) * 10 ** precision)),
      max: BigInt(Math.round((100_000 / usd) * 10 ** precision)),
    })
  return wrapped.map((token) => {
    const onWax = token.code === 'WAX' ? 'eosio.token' : WRAP
    const address = EVM_TOKENS[token.code]
    const toWax = route(WAX_DOMAIN, BRIDGE, onWax, token, 1n)
    return address
      ? [toWax, route(ETHEREUM_DOMAIN, VAULT_ADDRESS, address, token, evmToken(token.code).scale)]
      : [toWax]
  })
}

/** Value of the first deposit of each bridged token, USD, and its depositors. It covers later withdrawals. */
export const FIRST_DEPOSIT = 80_000
export const FIRST_DEPOSITORS = ['sybil.lp', 'trent.lp', 'walter.mm'] as const

function firstDeposits(token: TokenSpec): ActionCall[] {
  const quantity = amountOf(token, FIRST_DEPOSIT / token.usd)
  return FIRST_DEPOSITORS.map((from) =>
    call(token.contract, 'transfer', from, { from, to: BRIDGE, quantity, memo: from }),
  )
}
