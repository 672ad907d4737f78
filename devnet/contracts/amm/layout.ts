// Builds of the AMM contract that the devnet supports, by ABI.

/** `2023-08`, or `newer`, which adds prices in position logs, position transfers, locks and farms by duration. */
export type AmmLayout = '2023-08' | 'newer'
