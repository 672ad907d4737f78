// The ABIs of gateways (abis/gateway.*.abi.json), and the actions of a proof.
import { readFileSync } from 'node:fs'
import { type CompiledAbi, compileAbi } from '../../core/antelope/abi/compile.ts'
import { parseAbi } from '../../core/antelope/abi/parse.ts'
import { toHex } from '../../core/hex.ts'
import type { DepositAction, JsonValue } from './json.ts'

/** Gateway for EVM chains, or for Antelope chains. */
export type GatewayKind = 'evm' | 'antelope'

const compiled = new Map<GatewayKind, CompiledAbi>()

export function gatewayAbi(kind: GatewayKind): CompiledAbi {
  let abi = compiled.get(kind)
  if (!abi) {
    const file = new URL(`../../abis/gateway.${kind}.abi.json`, import.meta.url)
    abi = compileAbi(parseAbi(readFileSync(file, 'utf8')))
    compiled.set(kind, abi)
  }
  return abi
}

/** The gateway that receives a proof's actions, and their sender. */
export interface GatewayAccount {
  kind: GatewayKind
  account: string
  /** Account that signs; the empty name when unknown. */
  relayer: string
}

/** An action without authorization. @param members  all members of the ABI except `relayer` */
export function depositAction(
  { kind, account, relayer }: GatewayAccount,
  name: string,
  members: object,
): DepositAction {
  const all = { relayer, ...members }
  const data = toHex(gatewayAbi(kind).encodeAction(name, all))
  return { account, name, authorization: [], data, decoded: jsonOf(all) as DepositAction['decoded'] }
}

/** The action that credits a deposit. `proof` is packed as the given ABI type. */
export function creditAction(gateway: GatewayAccount, nonce: bigint, type: string, proof: unknown): DepositAction {
  const packed = gatewayAbi(gateway.kind).encode(type, proof)
  const action = depositAction(gateway, 'credit', { nonce, proof: packed })
  return { ...action, decoded: { ...action.decoded, proof: jsonOf(proof) } }
}

/** A decoded ABI value as JSON: wide integers as text, bytes as hex digits. */
function jsonOf(value: unknown): JsonValue {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return toHex(value)
  if (Array.isArray(value)) return value.map(jsonOf)
  if (typeof value !== 'object' || value === null) return value as JsonValue
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member)]))
}
