// Schemas of histories: their pages, and members of their rows.
import { Type } from 'typebox'
import { CURSOR_FORM } from './cursor.ts'
import { ACCOUNT_NAME } from './forms.ts'
import { Count } from './parameters.ts'

const Id = (description: string) => Type.String({ description })

export const AccountParams = Type.Object({
  account: Type.String({ description: 'Account.', ...ACCOUNT_NAME }),
})

/** @param limit  default number of rows @param most  maximum number of rows */
export const pageQuery = (limit: number, most: number) => ({
  limit: Count(`Maximum number of rows. Default ${limit}, maximum ${most}.`),
  skip: Type.Optional(
    Type.Integer({ description: 'Rows to leave out.', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  ),
  cursor: Type.Optional(
    Type.String({
      description:
        'Goes on where a page ended: from the `Link` header of that page. Neither loses nor repeats a row while blocks arrive.',
      ...CURSOR_FORM,
    }),
  ),
})

/** Members of every row. */
export const HistoryMembers = {
  _id: Id('Global sequence of the action.'),
  trx_id: Id('Transaction.'),
  time: Id('ISO 8601.'),
}

export const Swap = Type.Object({
  ...HistoryMembers,
  pool: Type.Number({ description: 'Pool.' }),
  sender: Id('Account that paid.'),
  recipient: Id('Account that received.'),
  sqrtPriceX64: Id('Square-root price after the swap, Q64.64.'),
  totalUSDVolume: Type.Number({ description: 'Value in USD at that time; 0 when unknown.' }),
  tokenA: Type.Number({ description: 'Tokens A: positive entered the pool, negative left it.' }),
  tokenB: Type.Number({ description: 'Tokens B: positive entered the pool, negative left it.' }),
})
