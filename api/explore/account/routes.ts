// The endpoint of an account as of the head.
import { mark } from '../../http/freshness.ts'
import type { Api } from '../../http/typed.ts'
import { type MarkRow, markOf } from '../../kit/snapshot.ts'
import { readTogether } from '../../live-market/together.ts'
import { AccountParams } from '../schema.ts'
import { type AccountRows, accountAnswer, MAX_ACCOUNT_ROWS } from './answer.ts'
import { AccountAnswer } from './schema.ts'
import { ACCOUNT_ROWS } from './sql.ts'

export function accountRoute(api: Api): void {
  const schema = {
    tags: ['Explorer'],
    summary: 'An account: balances, positions, open orders and their values',
    params: AccountParams,
    response: { 200: AccountAnswer },
  }
  api.get('/api/v3/explore/account/:account', { schema }, async (request, reply) => {
    const { account } = request.params
    const { chain: context } = request
    const { read, state } = await readTogether(context, async () => {
      const values = [context.chain, account, MAX_ACCOUNT_ROWS + 1]
      const { rows } = await context.pool.query<AccountRows & MarkRow>({
        name: 'explore-account',
        text: ACCOUNT_ROWS,
        values,
      })
      const [row] = rows
      if (row === undefined) return null
      const { balances, positions, orders } = row
      return { at: markOf(row), rows: { balances, positions, orders } }
    })
    mark(request, reply, state.at)
    request.taggedByContent = true
    return accountAnswer(state, account, read.rows)
  })
}
