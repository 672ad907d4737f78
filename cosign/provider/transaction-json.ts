// Transactions in JSON, as nodes and libraries write them. Action data must be hex digits: nothing is packed by an ABI
// here.
import { fromHex, toHex } from '../../core/hex.ts'
import { Refusal } from '../refusal.ts'
import type { Action, Authorization, Unsigned } from '../transaction.ts'
import { MAX_BYTES } from '../transaction.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z?$/
const HEX = /^(?:[0-9a-fA-F]{2})*$/
const NAME = /^[a-z1-5.]{1,13}$/
const U16 = 0xffff
const U32 = 0xffff_ffff
/** Items in one list: more than a cosigner accepts. */
const MAX_ITEMS = 100

/** @throws Refusal */
export function readTransactionJson(value: unknown): Unsigned {
  const transaction = record(value, 'transaction')
  const number = (name: string, max: number) => integer(transaction[name], name, max)
  return {
    expiration: seconds(transaction.expiration),
    refBlockNum: number('ref_block_num', U16),
    refBlockPrefix: number('ref_block_prefix', U32),
    maxNetUsageWords: number('max_net_usage_words', U32),
    maxCpuUsageMs: number('max_cpu_usage_ms', 0xff),
    delaySec: number('delay_sec', U32),
    contextFreeActions: list(transaction.context_free_actions, 'context_free_actions').map(action),
    actions: list(transaction.actions, 'actions').map(action),
    extensions: list(transaction.transaction_extensions, 'transaction_extensions').length,
  }
}

function action(value: unknown): Action {
  const { account, name, authorization, data } = record(value, 'an action')
  if (typeof data !== 'string' || data.length > 2 * MAX_BYTES || !HEX.test(data))
    throw new Refusal('body', 'data of actions must be hex digits')
  return {
    account: nameOf(account),
    name: nameOf(name),
    authorization: list(authorization, 'authorization').map(level),
    data: fromHex(data.toLowerCase()),
  }
}

function level(value: unknown): Authorization {
  const { actor, permission } = record(value, 'an authorization')
  return { actor: nameOf(actor), permission: nameOf(permission) }
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Refusal('body', `${what} must be an object`)
}

/** An empty list when absent. */
function list(value: unknown, what: string): unknown[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.length <= MAX_ITEMS) return value
  throw new Refusal('body', `${what} must be a list of at most ${MAX_ITEMS}`)
}

/** 0 when absent. */
function integer(value: unknown, what: string, max: number): number {
  if (value === undefined) return 0
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value
  throw new Refusal('body', `${what} must be a whole number up to ${max}`)
}

/** Unix seconds; 0 when absent. */
function seconds(value: unknown): number {
  if (value === undefined) return 0
  const ms = typeof value === 'string' && TIME.test(value) ? Date.parse(`${value.replace(/Z$/, '')}Z`) : Number.NaN
  if (ms >= 0 && ms / 1000 <= U32) return Math.floor(ms / 1000)
  throw new Refusal('body', 'expiration must be a time: 2026-01-01T00:00:00')
}

function nameOf(value: unknown): string {
  if (typeof value === 'string' && NAME.test(value)) return value
  throw new Refusal('body', 'names have up to 13 of a to z, 1 to 5 and dots')
}

/** The inverse of `readTransactionJson`. */
export function transactionJson({
  expiration,
  refBlockNum,
  refBlockPrefix,
  maxNetUsageWords,
  maxCpuUsageMs,
  actions,
}: Unsigned): object {
  return {
    expiration: new Date(expiration * 1000).toISOString().slice(0, 19),
    ref_block_num: refBlockNum,
    ref_block_prefix: refBlockPrefix,
    max_net_usage_words: maxNetUsageWords,
    max_cpu_usage_ms: maxCpuUsageMs,
    delay_sec: 0,
    context_free_actions: [],
    actions: actions.map(({ data, ...rest }) => ({ ...rest, data: toHex(data) })),
    transaction_extensions: [],
  }
}
