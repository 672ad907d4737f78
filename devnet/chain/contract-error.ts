// A contract's refusal: undoes its transaction and nothing else. Any other error is a bug of the devnet.

export class ContractError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ContractError'
  }
}
