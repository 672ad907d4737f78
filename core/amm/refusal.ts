// What the AMM contract refuses, in the contract's own words.

export class AmmRefusal extends Error {}

/** The contract's text for an amount that does not fit its integer. */
export const CAST_OVERFLOW = 'SafeCast:Overfows'
