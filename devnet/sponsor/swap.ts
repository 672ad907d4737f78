// A swap whose CPU the exchange pays, from the client's side: checks that the API pays, puts the noop before the swap,
// requests the API's signature, pushes the transaction with both signatures, and waits until the API has the swap.

import { setTimeout as sleep } from 'node:timers/promises'
import { Checksum256, PrivateKey } from '@wharfkit/antelope'
import { UserError } from '../../core/errors.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { call } from '../contracts/actions.ts'
import { AMM, amountOf, tokenOf } from '../contracts/exchange.ts'
import { waxProfile } from '../contracts/profile.ts'
import { SPONSOR } from '../contracts/sponsor.ts'
import { networks } from '../networks.ts'
import type { AntelopeNode } from '../relayer/antelope-node.ts'
import { PERMISSION } from './payer.ts'

export interface SwapOptions {
  /** Base URL of the API on the chain's host. */
  api: string
  wax: AntelopeNode
  user: string
  /** Whole WAX. */
  amount: number
  /** Private key of the user, if it has one. */
  key?: string
}

export interface SponsoredSwap {
  id: string
  blockNum: number
  /** The payer's signature. */
  signature: string
  /** Billed CPU in microseconds. */
  billed: { payer: number; user: number }
  /** The swap from the API. */
  swap: Record<string, unknown>
}

const POOL = 0
const TRIES = 120
const PAUSE_MS = 250
const NO_CONTEXT_FREE_DATA = new Uint8Array(32)

/** @throws UserError SPONSOR_REFUSED, SPONSORED_SWAP_MISSING; NodeError when the chain refuses */
export async function sponsoredSwap(options: SwapOptions): Promise<SponsoredSwap> {
  const { api, wax, user, key } = options
  const status = await ask(`${api}/api/v2/cpu/status`, {})
  if (status.signing !== true)
    throw new UserError('SPONSOR_REFUSED', `${api} does not pay CPU at present`, {
      hint: 'ask POST /api/v2/cpu/status why: available, signing, throttled',
    })
  const packed = await swapTransaction(options)
  const { signature } = await ask(`${api}/api/v2/cpu/cosign`, { serializedTransaction: toHex(packed) })
  const before = await usedBy(wax, user)
  const own = key === undefined ? [] : [signedBy(key, packed)]
  const { id, blockNum } = await wax.send(packed, [String(signature), ...own])
  const after = await usedBy(wax, user)
  const billed = { payer: after.payer - before.payer, user: after.user - before.user }
  return { id, blockNum, signature: String(signature), billed, swap: await waitForSwap(api, id) }
}

/** Transaction of the noop, then the swap. */
export async function swapTransaction({ wax, user, amount }: SwapOptions): Promise<Uint8Array> {
  const token = tokenOf(waxProfile, 'WAX')
  const memo = `swapexactin#${POOL}#${user}#0.000001 USDT@usdt.svc#0`
  const noop = {
    account: SPONSOR,
    name: 'noop',
    authorization: [{ actor: SPONSOR, permission: PERMISSION }],
    data: {},
  }
  const pay = { from: user, to: AMM, quantity: amountOf(token, amount), memo }
  return await wax.pack([noop, call(token.contract, 'transfer', user, pay)])
}

async function usedBy(wax: AntelopeNode, user: string): Promise<{ payer: number; user: number }> {
  return { payer: await wax.cpuOf(SPONSOR), user: await wax.cpuOf(user) }
}

function signedBy(key: string, packed: Uint8Array): string {
  const digest = sha256(fromHex(networks.wax.chainId), packed, NO_CONTEXT_FREE_DATA)
  return String(PrivateKey.from(key).signDigest(Checksum256.from(digest)))
}

async function ask(url: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, unknown>
  if (response.ok) return answer
  throw new UserError('SPONSOR_REFUSED', `${url} answers ${response.status}: ${String(answer.error)}`)
}

/** Waits until the API has the swap. */
async function waitForSwap(api: string, id: string): Promise<Record<string, unknown>> {
  for (let tries = 0; tries < TRIES; tries++) {
    const response = await fetch(`${api}/api/v2/swap/pools/${POOL}/swaps?limit=100`)
    const rows = response.ok ? ((await response.json()) as Record<string, unknown>[]) : []
    const found = rows.find((row) => row.trx_id === id)
    if (found) return found
    await sleep(PAUSE_MS)
  }
  throw new UserError('SPONSORED_SWAP_MISSING', `${api} does not show the swap of transaction ${id}`, {
    hint: 'is the chain indexed up to its head? see /health/ready',
  })
}
