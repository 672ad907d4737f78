// The answer of the status, which the API's description does not type.

/** `/health/status` */
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
