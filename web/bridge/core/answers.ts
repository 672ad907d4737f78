// Responses of the bridge API: the members that the page reads. Units are integers as text, times Unix seconds.
import type { SubmitRoot } from './evm/calls.ts'

export interface RouteAnswer {
  symbol: string
  precision: number
  from: string
  to: string
  via: string | null
  open: boolean
  min: string
  max: string
  antelopeToken: string
  withdrawableNow: string | null
  how: {
    deposit?: { contract: string; token: string; telosTo: string; memo: string }
    withdraw?: { contract: string; memo: string; token: string }
  }
  timing: { seconds: number; human: string }
}

export interface SourceAnswer {
  id: string
  name: string
  domain: string
  contracts: Readonly<Record<string, string>>
  routes: readonly { symbol: string; token: string; limits: { scale: string } | null }[]
}

export interface ChainsAnswer {
  sources: readonly SourceAnswer[]
  ledger: { id: string; name: string; domain: string | null; contracts: Readonly<Record<string, string>> }
}

export type HopStatus = 'arriving' | 'sending' | 'delivered' | 'bounced' | 'returning' | 'returned'

export interface JourneyAnswer {
  key: string
  direction: 'hop' | 'deposit' | 'withdrawal'
  status: HopStatus
  progress: { stage: string; percent: number; etaSeconds: number | null }
  next: {
    actor: 'automatic' | 'relayer' | 'recipient' | 'anyone'
    action: string | null
    deadline: number | null
  } | null
  from: { chain: string; address: string | null }
  to: { chain: string; recipient: string | null }
  back: { chain: string; recipient: string | null } | null
  deposit: { symbol: string | null; amount: string; precision: number | null; src_tx: string | null }
  src_time: number
  warnings: readonly string[]
  legs: readonly { key: string; status: string; tx: string | null }[]
}

export interface LegAnswer {
  key: string
  status: string
  domain: string
  from: { chain: string; address: string | null }
  to: { chain: string; recipient: string | null }
  symbol: string | null
  amount: string
  memoText: string | null
  src_tx: string | null
  src_time: number
}

export interface PendingAnswer {
  deposits: readonly {
    key: string
    actions: readonly string[]
    domain: string
    nonce: string
    bounceFrom: number | null
  }[]
  hops: readonly { key: string; id: string; contract: string | null }[]
}

interface ProofTarget {
  releaseTo: string
  release: object
}

export interface ProofAnswer {
  track: 'light' | 'hard'
  light: ProofTarget | null
  hard: ProofTarget & {
    submitRoot: SubmitRoot
    lightClient: string
    handoffs: readonly { submitRoot: SubmitRoot; learn: object }[]
  }
}
