// The resource-provider interface of wallet sessions: a request becomes a transaction with the noop as its first
// action.

import { Writer } from '../../core/antelope/writer.ts'
import { toHex } from '../../core/hex.ts'
import { pack, writeName } from '../pack.ts'
import { Refusal } from '../refusal.ts'
import { NOOP, type Rules } from '../rules.ts'
import type { Action, Authorization, Unsigned } from '../transaction.ts'
import { readPacked } from '../transaction.ts'
import { readSigningRequest } from './signing-request.ts'
import { readTransactionJson } from './transaction-json.ts'

interface Reference {
  /** Unix seconds. */
  expiration: number
  refBlockNum: number
  refBlockPrefix: number
}

export interface ProviderContext {
  rules: Rules
  /** 64 hex digits. */
  chainId: string
  /** Reference block for a transaction without one; null without a node. */
  reference: (() => Promise<Reference>) | null
}

export interface Provided {
  hex: string
  transaction: Unsigned
}

/** Names in a request that stand for the signer: the name with value 1 for its account, 2 for its permission. */
const ACTOR = '............1'
const PERMISSION = '............2'
const ACTOR_BYTES = Buffer.from('0100000000000000', 'hex')

/**
 * @param body  `{signer, request | packedTransaction | transaction}`
 * @returns the transaction to sign: the noop, then the requested actions
 * @throws Refusal, RetryableError
 */
export async function provideTransaction(body: Record<string, unknown>, context: ProviderContext): Promise<Provided> {
  const signer = readSigner(body.signer)
  const asked = await readAsked(body, context)
  const actions = asked.actions.map((action) => resolve(action, signer))
  const { payer, permission } = context.rules
  const [first] = actions
  const hasNoop = first?.account === payer && first.name === NOOP
  const noop: Action = {
    account: payer,
    name: NOOP,
    authorization: [{ actor: payer, permission }],
    data: new Uint8Array(),
  }
  const { requireCpuBound, cpuCeilingMs } = context.rules
  // Wallets send 0. If a bound is required, the answer sets it.
  const maxCpuUsageMs = requireCpuBound && asked.maxCpuUsageMs === 0 ? cpuCeilingMs : asked.maxCpuUsageMs
  const transaction = { ...asked, maxCpuUsageMs, actions: hasNoop ? actions : [noop, ...actions] }
  return { hex: toHex(pack(transaction)), transaction }
}

function readSigner(value: unknown): Authorization {
  const { actor, permission } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  if (typeof actor === 'string' && typeof permission === 'string') return { actor, permission }
  const text = typeof value === 'string' ? /^([a-z1-5.]{1,13})@([a-z1-5.]{1,13})$/.exec(value) : null
  if (text) return { actor: text[1] as string, permission: text[2] as string }
  throw new Refusal('body', 'signer must be {actor, permission}')
}

async function readAsked(body: Record<string, unknown>, context: ProviderContext): Promise<Unsigned> {
  const { request, packedTransaction, transaction } = body
  if (packedTransaction !== undefined) return complete(readPacked(hexOf(packedTransaction)), context)
  if (transaction !== undefined) return complete(readTransactionJson(transaction), context)
  if (typeof request !== 'string')
    throw new Refusal('body', 'There must be one of request (a signing request), packedTransaction and transaction')
  const { chainId, content } = readSigningRequest(request)
  if (chainId !== null && chainId !== context.chainId)
    throw new Refusal('reference', 'The request is for another chain')
  if ('transaction' in content) return complete(content.transaction, context)
  return complete({ ...EMPTY, actions: content.actions }, context)
}

/** Hex digits of a packed transaction: the text itself, or the member of the form that nodes accept. */
function hexOf(packed: unknown): string {
  if (typeof packed === 'string') return packed
  const { compression = 0, packed_trx } = (typeof packed === 'object' && packed !== null ? packed : {}) as {
    compression?: unknown
    packed_trx?: unknown
  }
  if (compression !== 0 && compression !== 'none')
    throw new Refusal('encoding', 'The transaction must not be compressed')
  if (typeof packed_trx === 'string') return packed_trx
  throw new Refusal('body', 'packedTransaction must be {packed_trx}, hex digits')
}

const EMPTY: Unsigned = {
  expiration: 0,
  refBlockNum: 0,
  refBlockPrefix: 0,
  maxNetUsageWords: 0,
  maxCpuUsageMs: 0,
  delaySec: 0,
  contextFreeActions: [],
  actions: [],
  extensions: 0,
}

async function complete(asked: Unsigned, { reference }: ProviderContext): Promise<Unsigned> {
  if (asked.delaySec > 0 || asked.contextFreeActions.length > 0 || asked.extensions > 0)
    throw new Refusal('header', 'A delay, context-free actions and extensions are not allowed')
  if (asked.expiration !== 0) return asked
  if (reference === null)
    throw new Refusal('reference', 'The transaction must have an expiration and a reference block')
  return { ...asked, ...(await reference()) }
}

/** Replaces the signer's placeholders in authorizations and in the payer of a transfer. */
function resolve(action: Action, signer: Authorization): Action {
  const authorization = action.authorization.map(({ actor, permission }) => ({
    actor: actor === ACTOR ? signer.actor : actor,
    permission: permission === ACTOR || permission === PERMISSION ? signer.permission : permission,
  }))
  const isOpen = action.name === 'transfer' && ACTOR_BYTES.equals(action.data.subarray(0, 8))
  return { ...action, authorization, data: isOpen ? withSender(action.data, signer.actor) : action.data }
}

function withSender(data: Uint8Array, actor: string): Uint8Array {
  const writer = new Writer(data.length)
  writeName(writer, actor)
  writer.bytes(data.subarray(8))
  return writer.finish()
}
