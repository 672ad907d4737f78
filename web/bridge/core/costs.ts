// Costs of a transfer and its value in dollars. The user pays for gas on the route's EVM chain. Dollar prices are those
// of the exchange on the ledger's chain. Pure.
import { formatUnits, parseUnits } from '../../shared/amounts.ts'
import { ZERO_ADDRESS } from './parties.ts'
import type { Way } from './routes.ts'

/** Gas of the user's transactions, about: from receipts of the demo. The wallet shows the exact gas before it signs. */
const GAS = { approve: 46_000n, deposit: 65_000n, release: 310_000n }
const COIN_DECIMALS = 18
/** Significant digits of a gas fee: the price of gas changes until the wallet sends. */
const COIN_DIGITS = 3

/** Facts for the rows of the form that do not depend on the amount. Null: unknown. */
export interface Costs {
  /** The EVM chain whose gas the user pays; null when the route has none. */
  chain: string | null
  /** `0.000155 ETH` */
  gas: string | null
  /** Wei that leave the balance of the token sent: when it is the chain's coin; null for other tokens. */
  coinGas: bigint | null
  gasUsd: number | null
  /** Dollars for one token. */
  usd: number | null
}

/** Gas that the user pays on the way's EVM chain. */
function gasOf({ from, to, route }: Way): bigint {
  if (from.kind === 'evm') return GAS.deposit + (route.how.deposit?.token === ZERO_ADDRESS ? 0n : GAS.approve)
  return to.kind === 'evm' ? GAS.release : 0n
}

/**
 * @param gasPrice  wei; null when unknown
 * @param coin      symbol of the chain's coin; null when the bridge does not carry it
 * @param prices    dollars by symbol
 */
export function costsOf(
  way: Way,
  gasPrice: bigint | null,
  coin: string | null,
  prices: ReadonlyMap<string, number>,
): Costs {
  const end = way.from.kind === 'evm' ? way.from : way.to.kind === 'evm' ? way.to : null
  const gasUnits = end === null || gasPrice === null ? null : gasOf(way) * gasPrice
  const fee = gasUnits === null ? null : formatUnits(gasUnits, COIN_DECIMALS)
  const price = coin === null ? undefined : prices.get(coin)
  return {
    chain: end?.name ?? null,
    gas:
      fee === null || coin === null
        ? null
        : `${Number(fee).toLocaleString('en', { maximumSignificantDigits: COIN_DIGITS })} ${coin}`,
    coinGas: way.route.how.deposit?.token === ZERO_ADDRESS && way.from === end ? gasUnits : null,
    gasUsd: fee === null || price === undefined ? null : Number(fee) * price,
    usd: prices.get(way.route.symbol) ?? null,
  }
}

/**
 * The most that can be sent. Of a token it is the balance; of the chain's coin, what is left after three times the gas:
 * wallets reserve up to twice its price, and more units than are used. If that is more than the balance, it is the whole
 * balance, and the wallet says what is missing.
 *
 * @param balance  decimal text
 * @param coinGas  as in `Costs`
 */
export function mostOf(balance: string, coinGas: bigint | null): string {
  const held = parseUnits(balance, COIN_DECIMALS)
  if (coinGas === null || held === null) return balance
  const left = held - coinGas * 3n
  return left > 0n ? formatUnits(left, COIN_DECIMALS) : balance
}

/** `$12.48`; `less than $0.01` for small amounts. */
export function dollars(amount: number): string {
  if (amount > 0 && amount < 0.01) return 'less than $0.01'
  return `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}
