// Types of the answer of `/health/status`, written by hand: the API's description does not contain that path.

export interface Status {
  version: string
  uptimeSeconds: number
  ready: boolean
  reasons: string[]
  warnings: string[]
  chains: ChainStatus[]
}

export interface ChainStatus {
  chain: string
  firstBlock: number | null
  block: number | null
  blockTime: string | null
  lib: number | null
  head: number | null
  indexed: boolean
  lagBlocks: number | null
  lagSeconds: number | null
  estimatedRows: Record<string, number>
}
