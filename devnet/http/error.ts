// A refused request of the chain API, in a node's response format.

export class ChainApiError extends Error {
  readonly body: object

  /** @param number  of the node's exception @param name  of its class */
  constructor(number: number, name: string, what: string) {
    super(what)
    this.body = {
      code: 500,
      message: 'Internal Service Error',
      error: { code: number, name, what, details: [{ message: what, file: '', line_number: 0, method: '' }] },
    }
  }
}
