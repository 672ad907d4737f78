// All events of the bridge's EVM contracts. Layouts: abis/SvcVault.abi.json, SvcWithdrawals.abi.json and
// SvcLightClient.abi.json.

import { nameToString } from '../../../core/antelope/name.ts'
import { TimePoint } from '../../../core/antelope/time-point.ts'
import { address, bytes, type EventProjection, integer, type Members } from './event.ts'

const deposit: EventProjection = {
  role: 'vault',
  events: ['Deposit'],
  row: (e) => ({
    table: 'vault_deposits',
    columns: {
      nonce: integer(e, 'nonce'),
      token: address(e, 'token'),
      fromAddress: address(e, 'from'),
      amount: integer(e, 'amount'),
      canonical: integer(e, 'canonical'),
      telosTo: nameToString(integer(e, 'telosTo')),
      refundTo: address(e, 'refundTo'),
      fillFee: integer(e, 'fillFee'),
      filler: integer(e, 'filler'),
      memo: bytes(e, 'memo'),
    },
  }),
}

/** The vault paid a withdrawal. */
const release: EventProjection = {
  role: 'vault',
  events: ['Released'],
  row: (e) => {
    const paid = { token: address(e, 'token'), recipient: address(e, 'to'), amount: integer(e, 'amount') }
    return outcome('released', e, { ...paid, feeTo: address(e, 'feeTo'), fee: integer(e, 'fee') })
  },
}

const voided: EventProjection = { role: 'vault', events: ['Voided'], row: (e) => outcome('voided', e) }

/** The withdrawals contract accepted the proof of a burn. The vault pays in the same transaction. */
const proof: EventProjection = {
  role: 'withdrawals',
  events: ['Released'],
  row: (e) => {
    const paid = { token: address(e, 'token'), recipient: address(e, 'to'), amount: integer(e, 'amount') }
    return outcome('proved', e, { ...paid, memo: bytes(e, 'memo') })
  },
}

const expired: EventProjection = { role: 'withdrawals', events: ['Expired'], row: (e) => outcome('expired', e) }

function outcome(type: string, e: Members, more: object = {}) {
  return { table: 'withdrawal_outcomes', columns: { id: integer(e, 'id'), type, ...more } }
}

/** Changes of the vault's settings by owners and guardians. */
const change: EventProjection = {
  role: 'vault',
  events: [
    ...['AssetSet', 'LimitProposed', 'LimitSet', 'PauseSet', 'GuardianSet', 'OwnerSet', 'OwnershipOffered'],
    ...['ReleaserProposed', 'ReleaserSet', 'Rescued'],
  ],
  row: (e, type) => {
    const details = Object.entries(e).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? `${value}` : lower(value),
    ])
    const token = 'token' in e ? address(e, 'token') : undefined
    return { table: 'vault_changes', columns: { type, token, details: Object.fromEntries(details) } }
  },
}

/** Slots of the Antelope chain: half seconds since 2000. */
const SLOT_MS = 500
const FIRST_SLOT = Date.UTC(2000, 0, 1)

const root: EventProjection = {
  role: 'lightclient',
  events: ['RootStored'],
  row: (e) => ({
    table: 'stored_roots',
    columns: {
      root: bytes(e, 'root'),
      lastBlock: integer(e, 'lastBlock'),
      rootTime: TimePoint.ofMs(FIRST_SLOT + Number(integer(e, 'timestamp')) * SLOT_MS),
      generation: integer(e, 'generation'),
    },
  }),
}

const policy: EventProjection = {
  role: 'lightclient',
  events: ['PolicyLearned'],
  row: (e) => ({
    table: 'learned_policies',
    columns: {
      generation: integer(e, 'generation'),
      digest: bytes(e, 'digest'),
      threshold: integer(e, 'threshold'),
      finalizers: integer(e, 'finalizers'),
    },
  }),
}

function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}

export const EVENTS: readonly EventProjection[] = [deposit, release, voided, proof, expired, change, root, policy]
