// Token ids in paths: `<symbol>-<contract>`, any case.
import { required } from '../../../core/required.ts'

/** What a token id names. An id of another form names a token that does not exist. */
export function partsOf(text: string): { contract: string; symbol: string } {
  const [symbol, ...contract] = text.toLowerCase().split('-')
  return { symbol: required(symbol, 'symbol').toUpperCase(), contract: contract.join('-') }
}
