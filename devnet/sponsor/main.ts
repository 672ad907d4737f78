// Makes one swap on the demo's wax with CPU that the exchange pays, and prints the result as JSON.
//   node --import tsx devnet/sponsor/main.ts --api http://127.0.0.1:7700 --wax http://127.0.0.1:PORT \
//     [--user trent.lp] [--amount 5]
// The demo prints the URL of wax's chain API.

import { parseArgs } from 'node:util'
import { HeadwaterError, UserError } from '../../core/errors.ts'
import { AntelopeNode, NodeError } from '../relayer/antelope-node.ts'
import { sponsoredSwap } from './swap.ts'

const { values } = parseArgs({
  options: {
    api: { type: 'string', default: 'http://127.0.0.1:7700' },
    wax: { type: 'string' },
    user: { type: 'string', default: 'trent.lp' },
    amount: { type: 'string', default: '5' },
  },
})

function url(name: 'api' | 'wax'): string {
  const value = values[name]
  if (value !== undefined && URL.canParse(value)) return value.replace(/\/+$/, '')
  throw new UserError('INVALID_OPTION', `--${name} must be a URL, not ${value}`)
}

function amount(): number {
  const value = Number(values.amount)
  if (Number.isFinite(value) && value > 0) return value
  throw new UserError('INVALID_OPTION', `--amount must be a positive number, not ${values.amount}`)
}

try {
  const wax = new AntelopeNode(url('wax'))
  console.log(
    JSON.stringify(await sponsoredSwap({ api: url('api'), wax, user: values.user, amount: amount() }), null, 2),
  )
} catch (error) {
  if (!(error instanceof HeadwaterError) && !(error instanceof NodeError)) throw error
  console.error(
    error instanceof HeadwaterError ? `${error.code}: ${error.message}\n  hint: ${error.hint}` : error.message,
  )
  process.exitCode = 1
}
