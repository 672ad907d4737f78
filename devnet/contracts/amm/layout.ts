// The builds of the AMM contract that the devnet knows, by their ABI.

/** `2023-08`, or `newer` with prices in position logs, position transfers, locks and farms by duration. */
export type AmmLayout = '2023-08' | 'newer'
