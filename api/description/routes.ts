// Operations of swap routes. Their route schemas accept parameters as text, so that each mistake gets its documented
// error.
import { LIMITS } from '../kit/limits.ts'
import { errorOnly, type Operations, plainText } from './operation.ts'

const WAX = 'wax-eosio.token'
const TLM = 'tlm-alien.worlds'
const V2 = '/api/v2/swapRouter/getRoute'
const V3 = '/api/v3/swapRouter/getRoute'
const v2 = (rest: string) => `${V2}?trade_type=EXACT_INPUT&input=${WAX}&output=${TLM}&${rest}`
const v3 = (rest: string) => `${V3}?tradeType=exactIn&input=${WAX}&output=${TLM}&${rest}`
/** An amount above what any pool can take. */
const TOO_MUCH = '40000000000'

const SLIPPAGE = { type: 'number', minimum: 0, exclusiveMaximum: 100, default: LIMITS.routeSlippagePercent } as const

export const SWAP_ROUTES: Operations = {
  [`GET ${V2}`]: {
    id: 'getRouteV2',
    about:
      'Over pools alone. Put one transfer of the input token for each of `swaps` into one transaction, to the AMM contract, with its `input` as quantity and its `memo`, in which `<receiver>` stands for the account that receives. New integrations: take the v3 form, which routes over order books too.',
    ask: v2('amount=100&receiver=alice&v2=true'),
    failures: [
      plainText(403, '`trade_type`, `input` or `output` is missing, or another parameter is invalid.', V2),
      plainText(403, 'The amount is missing, no number above 0, or has more decimals than the token.', v2('amount=x')),
      plainText(403, 'The slippage is no number from 0 to less than 100.', v2('amount=1&slippage=x')),
      plainText(
        403,
        'A token is unknown, or both are the same.',
        `${V2}?trade_type=EXACT_INPUT&input=none-nobody&output=${WAX}&amount=1`,
      ),
      plainText(404, 'No pools can trade the whole amount.', v2(`amount=${TOO_MUCH}`)),
    ],
    takes: { slippage: SLIPPAGE, maxHops: { type: 'integer', minimum: 1, default: LIMITS.routeHops } },
  },
  [`GET ${V3}`]: {
    id: 'getRoute',
    about:
      'The best price over AMM pools and order books. `actions` are ready to sign, in order, in one transaction; without `account` there are none and memos hold the literal `<account>`. A market order of a book reverts the whole transaction when it would pay less than its minimum.',
    ask: v3('amount=100&account=alice'),
    failures: [
      errorOnly(400, '`tradeType` is missing or another one.', `${V3}?tradeType=x`),
      errorOnly(400, 'A token is missing or unknown.', `${V3}?tradeType=exactIn&input=none-nobody&output=${WAX}`),
      errorOnly(400, 'The amount is missing, no number above 0, or has more decimals than the token.', v3('amount=x')),
      errorOnly(400, 'The slippage is no number from 0 to less than 100.', v3('amount=1&slippage=x')),
      errorOnly(400, '`maxHops` is not 1, 2 or 3.', v3('amount=1&maxHops=4')),
      errorOnly(400, '`orderbook` is neither `true` nor `false`.', v3('amount=1&orderbook=x')),
      errorOnly(400, 'Both tokens are the same.', `${V3}?tradeType=exactIn&input=${WAX}&output=${WAX}&amount=1`),
      errorOnly(400, 'No account can have this name.', v3('amount=1&account=NOBODY')),
      errorOnly(400, 'No permission can have this name.', v3('amount=1&permission=NOBODY')),
      errorOnly(404, 'No route can trade the whole amount.', v3(`amount=${TOO_MUCH}`)),
    ],
    takes: {
      slippage: SLIPPAGE,
      maxHops: { type: 'integer', minimum: 1, maximum: LIMITS.routeHops, default: LIMITS.routeHops },
      orderbook: { type: 'boolean', default: true },
    },
  },
}
