// What the static checks go by.

export interface Rules {
  /** Account that pays, and the contract whose `noop` comes first. */
  payer: string
  /** Permission of the payer that signs. */
  permission: string
  /** Contracts whose actions are paid for, and to which tokens may be transferred. */
  contracts: ReadonlySet<string>
  /** Highest `max_cpu_usage_ms`. */
  cpuCeilingMs: number
  /** Whether `max_cpu_usage_ms` 0, which sets no bound, is refused. */
  requireCpuBound: boolean
}

/** The action of the payer's contract that stands first. */
export const NOOP = 'noop'
/** Most actions, the noop included. */
export const MAX_ACTIONS = 12
/** Most authorizations of one action. */
export const MAX_AUTHORIZATIONS = 2
/** Highest `max_net_usage_words`: eight bytes each, twice the longest transaction. */
export const MAX_NET_WORDS = 2048
