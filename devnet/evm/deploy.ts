// Deploys the bridge to the EVM node: tokens, vault, light client, withdrawals contract, their settings, users'
// balances.

import { AbiCoder } from 'ethers'
import type { ContractName } from '../../contracts/compile.ts'
import { nameToU64 } from '../../core/antelope/name.ts'
import { type FinalizerPolicy, packFinalizerPolicy } from '../../core/finality/finalizer-policy.ts'
import { toHex } from '../../core/hex.ts'
import { BRIDGE, EVM_TOKENS, evmToken, tokenOf } from '../contracts/exchange.ts'
import { telosProfile } from '../contracts/profile.ts'
import { evmAddress, OWNER_ADDRESS } from './accounts.ts'
import {
  LIGHT_CLIENT_ADDRESS,
  NATIVE_ADDRESS,
  USDC_ADDRESS,
  USDT_ADDRESS,
  VAULT_ADDRESS,
  WITHDRAWALS_ADDRESS,
} from './addresses.ts'
import { compiledContract, interfaceOf } from './contracts.ts'

/** A transaction for `eth_sendTransaction`. */
export interface EvmCall {
  from: string
  to?: string
  data: string
  /** Wei. */
  value?: bigint
}

/** Daily outflow limit per token, USD: one per second, so that an exceeding withdrawal soon fits. */
export const DAILY_USD = 86_400
const CAP_USD = 500_000_000
const SUPPLY_USD = 1_000_000_000
const HELD_USD = 5_000_000
/** The vault's smallest deposit, USD. */
const MINIMUM_USD = 5
const ALL = (1n << 256n) - 1n

/**
 * Blocks as lists of calls.
 *
 * @param policy  first policy of the ledger's chain, which the light client trusts initially
 */
export function deployment(policy: FinalizerPolicy): EvmCall[][] {
  const packed = `0x${toHex(packFinalizerPolicy(policy))}`
  const names = [BRIDGE, 'wdlog', 'active'].map(nameToU64)
  const supply = raw('USDC', SUPPLY_USD)
  const contracts = [
    create('PlainToken', ['string', 'uint8', 'uint256'], ['USDC', 6, supply]),
    create('PlainToken', ['string', 'uint8', 'uint256'], ['USDT', 6, supply]),
    create('SvcVault', ['uint64'], [0]),
    create('SvcLightClient', ['bytes'], [packed]),
    create(
      'SvcWithdrawals',
      ['address', 'address', 'uint64', 'uint64', 'uint64'],
      [LIGHT_CLIENT_ADDRESS, VAULT_ADDRESS, ...names],
    ),
  ]
  const vault = (method: string, ...values: unknown[]) => own(VAULT_ADDRESS, 'SvcVault', method, values)
  const terms = Object.entries(EVM_TOKENS).flatMap(([code, address]) => [
    vault('setAsset', address, evmToken(code).scale, raw(code, CAP_USD), true, canonical(code, MINIMUM_USD)),
    vault('setLimit', address, raw(code, DAILY_USD)),
  ])
  const held = [USDC_ADDRESS, USDT_ADDRESS].flatMap((token) =>
    telosProfile.users
      .map(evmAddress)
      .flatMap((user) => [
        own(token, 'PlainToken', 'transfer', [user, raw('USDC', HELD_USD)]),
        { from: user, to: token, data: encode('PlainToken', 'approve', [VAULT_ADDRESS, ALL]) },
      ]),
  )
  return [contracts, [vault('setReleaser', WITHDRAWALS_ADDRESS), ...terms], held]
}

/** Ledger units worth some USD at the first price. */
function canonical(code: string, usd: number): bigint {
  const token = tokenOf(telosProfile, code)
  return BigInt(Math.round((usd / token.usd) * 10 ** token.precision))
}

/** The same in raw units of the EVM chain. */
function raw(code: string, usd: number): bigint {
  return canonical(code, usd) * evmToken(code).scale
}

function create(name: ContractName, types: string[], values: unknown[]): EvmCall {
  const parameters = AbiCoder.defaultAbiCoder().encode(types, values).slice(2)
  return { from: OWNER_ADDRESS, data: compiledContract(name).bytecode + parameters }
}

function own(to: string, name: ContractName, method: string, values: unknown[]): EvmCall {
  return { from: OWNER_ADDRESS, to, data: encode(name, method, values) }
}

export function encode(name: ContractName, method: string, values: readonly unknown[]): string {
  return interfaceOf(name).encodeFunctionData(method, values)
}

/** A user's deposit. @param telosTo  account, packed @param memo  hex digits after 0x */
export function depositCall(user: string, code: string, amount: bigint, telosTo: string, memo: Uint8Array): EvmCall {
  const { address: token, scale } = evmToken(code)
  const from = evmAddress(user)
  const destination = [nameToU64(telosTo), from, 0, 0, `0x${toHex(memo)}`]
  const value = amount * scale
  if (token === NATIVE_ADDRESS)
    return { from, to: VAULT_ADDRESS, data: encode('SvcVault', 'depositNative', destination), value }
  return { from, to: VAULT_ADDRESS, data: encode('SvcVault', 'deposit', [token, value, ...destination]) }
}
