// A contract's refusal: only undoes its transaction. Any other error is a bug of the devnet.

export class ContractError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ContractError'
  }
}
