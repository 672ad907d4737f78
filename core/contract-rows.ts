// Rows and logs of the exchange's and the bridge's contracts, as the ABIs in abis/ decode them. The indexer reads them,
// and simulated contracts write them.
import type { Asset, ExtendedAsset } from './antelope/asset.ts'

/** A row of the AMM's table `pools`. */
export interface PoolRow {
  id: bigint
  active: boolean
  tokenA: ExtendedAsset
  tokenB: ExtendedAsset
  fee: number
  feeProtocol: number
  tickSpacing: number
  maxLiquidityPerTick: bigint
  currSlot: {
    sqrtPriceX64: bigint
    tick: number
    lastObservationTimestamp: number
    currentObservationNum: number
    maxObservationNum: number
  }
  feeGrowthGlobalAX64: bigint
  feeGrowthGlobalBX64: bigint
  protocolFeeA: Asset
  protocolFeeB: Asset
  liquidity: bigint
}

/** A row of the DEX's tables `buyorders` and `sellorders`. */
export interface OrderRow {
  id: bigint
  account: string
  bid: Asset
  ask: Asset
  unit_price: bigint
  timestamp: number
}

/** Members of the bridge's action `deplog`. */
export interface DepositLog {
  nonce: bigint
  bridge: string
  token_contract: string
  token_symbol: { precision: number; code: string }
  from: string
  raw: bigint
  canonical: bigint
  beneficiary: string
  memo: string
}

/** A row of the bridge's table `wdraws`. */
export interface WithdrawalRow {
  id: bigint
  domain: bigint
  owner: string
  quantity: Asset
  recipient: Uint8Array
  /** Unix seconds. */
  deadline: bigint
  fee: bigint
  /** 0 open, 1 settled, 2 expired, 3 refunded. */
  status: number
}

/** A row of the hop contract's table `hops`. */
export interface HopRow {
  id: bigint
  src_domain: bigint
  src_nonce: bigint
  dst_domain: bigint
  recipient: string
  back_domain: bigint
  back: string
  quantity: Asset
  wd_id: bigint
  /** 0 open, 1 delivered, 2 expired, 3 returned. */
  status: number
}
