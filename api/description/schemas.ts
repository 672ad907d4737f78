// Schemas by name: error bodies, and messages of the stream, which contain schemas of the Market API.
import { OrderBookAnswer, PoolAnswer, TokensAnswer } from '../market/schema.ts'
import { FAILURE_SCHEMAS } from './failures.ts'
import { streamSchemas } from './stream.ts'

export const DESCRIPTION_SCHEMAS: Readonly<Record<string, object>> = {
  ...FAILURE_SCHEMAS,
  ...streamSchemas(PoolAnswer.properties.pool, OrderBookAnswer.properties.orderbook, TokensAnswer.properties.tokens),
}
