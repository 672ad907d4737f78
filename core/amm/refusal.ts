// Refusals of the AMM contract, with the contract's own texts.

export class AmmRefusal extends Error {}

/** The contract's text for an amount that overflows its integer type. */
export const CAST_OVERFLOW = 'SafeCast:Overfows'
