// Parameters of the static checks.

export interface Rules {
  /** The paying account; its contract has the first action, `noop`. */
  payer: string
  /** Permission of the payer that signs. */
  permission: string
  /** Contracts whose actions are sponsored and that may receive token transfers. */
  contracts: ReadonlySet<string>
  /** Highest `max_cpu_usage_ms`. */
  cpuCeilingMs: number
  /** Whether `max_cpu_usage_ms` 0, which sets no bound, is refused. */
  requireCpuBound: boolean
}

/** The payer's action that must come first. */
export const NOOP = 'noop'
/** Maximum number of actions, including the noop. */
export const MAX_ACTIONS = 12
/** Maximum number of authorizations of one action. */
export const MAX_AUTHORIZATIONS = 2
/** Maximum `max_net_usage_words` (8 bytes each): twice the longest transaction. */
export const MAX_NET_WORDS = 2048
