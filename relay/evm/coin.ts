// The coin in which gas of an EVM chain is paid, by chain id.
const COINS: Readonly<Record<number, string>> = { 1: 'ETH', 56: 'BNB', 137: 'POL' }

/** @returns undefined for a chain that the bridge does not know: its gas has no price */
export const coinOf = (chainId: number): string | undefined => COINS[chainId]
