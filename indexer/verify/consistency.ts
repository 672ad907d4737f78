// Checks current rows against each other and the ledger: balances add up to the supply; open orders were placed and not
// cancelled. Notes balances that transfers do not explain, and orders that deals do not.
import type { ClientBase } from 'pg'
import { type CheckReport, Findings } from './report.ts'
import { DOUBTFUL_ORDERS, ORDER_COUNT, SUPPLY_COUNT, UNEVEN_SUPPLIES, UNMOVED_BALANCES } from './sql.ts'

/** A chain's first blocks have no contracts: a history that starts there has every balance and order. */
export const GENESIS_BLOCKS = 2

/** @param complete  whether the history begins with the chain's first blocks */
export async function checkSupplies(client: ClientBase, chain: string, complete: boolean): Promise<CheckReport> {
  const findings = new Findings('supplies')
  const { rows: counted } = await client.query(SUPPLY_COUNT, [chain])
  findings.compared(Number(counted[0].count))
  const { rows } = await client.query(UNEVEN_SUPPLIES, [chain])
  for (const { contract, symbol, supply, balances } of rows) {
    const what = `sum of the balances of ${symbol} at ${contract}`
    if (complete || BigInt(balances) > BigInt(supply)) findings.differ(what, supply, balances)
    else findings.note(`${what} is ${balances} of ${supply}: balances older than the history are not known`)
  }
  if (complete) await compareTransfers(client, chain, findings)
  return findings.finish()
}

/**
 * Compares balances with the transfers of their accounts. A difference is a note, not a failure: a token may take a fee or
 * move balances by an action of its own, and no action says so.
 */
async function compareTransfers(client: ClientBase, chain: string, findings: Findings): Promise<void> {
  const { rows } = await client.query(UNMOVED_BALANCES, [chain])
  for (const { contract, symbol, account, expected, found } of rows)
    findings.note(
      `balance of ${account} in ${symbol} at ${contract} is ${found}, its transfers give ${expected}: right only if the token moves balances in other ways`,
    )
}

export async function checkOrders(client: ClientBase, chain: string, complete: boolean): Promise<CheckReport> {
  const findings = new Findings('orders')
  const { rows: counted } = await client.query(ORDER_COUNT, [chain])
  findings.compared(Number(counted[0].count))
  const { rows } = await client.query(DOUBTFUL_ORDERS, [chain])
  for (const { market, side, id, placed, same, within, cancelled, bid, left } of rows) {
    const what = `state.orders market ${market} ${side} ${id}`
    if (!placed && !complete) findings.note(`${what} was placed before the history begins`)
    else if (!placed) findings.differ(what, 'placed before', 'never placed')
    else if (cancelled) findings.differ(what, 'gone, since it was cancelled', 'open')
    else if (!same) findings.differ(what, 'account, price, symbols and time as placed', 'others')
    else if (!within) findings.differ(what, 'at most the amounts that were placed', 'more')
    else findings.note(`${what} offers ${bid}, its deals leave ${left}: how the contract rounds is not published`)
  }
  return findings.finish()
}
