// Checks that need only the transaction. The documented checks come first, in the documented order: clients rely on
// their texts. The other checks prevent other uses of the payer's CPU.
import { Refusal } from './refusal.ts'
import { MAX_ACTIONS, MAX_AUTHORIZATIONS, MAX_NET_WORDS, NOOP, type Rules } from './rules.ts'
import type { Action, Authorization, UserTransaction } from './transaction.ts'
import { readTransfer } from './transfer.ts'

export interface Checked {
  /** The account that limits are counted for: the first authoriser of the second action. */
  user: string
  /** Its permission in that action. */
  permission: string
  /** Contracts of the transferred tokens, without duplicates. */
  tokens: string[]
}

/** @throws Refusal with a text for the sender */
export function checkTransaction(transaction: UserTransaction, rules: Rules): Checked {
  const [first, ...others] = transaction.actions
  if (first === undefined || !isNoop(first, rules)) throw new Refusal('noop', 'First action must be noop from payer')
  for (const action of others) checkTarget(action, rules)
  checkNoop(first)
  const { actor: user, permission } = userOf(others, rules)
  for (const action of others) checkAuthorizations(action, user, rules)
  checkSize(transaction, rules)
  checkHeader(transaction)
  const tokens = others.filter(({ account }) => !rules.contracts.has(account)).map(({ account }) => account)
  return { user, permission, tokens: [...new Set(tokens)] }
}

function isNoop({ account, name, authorization }: Action, { payer, permission }: Rules): boolean {
  const [authoriser] = authorization
  return account === payer && name === NOOP && authoriser?.actor === payer && authoriser.permission === permission
}

function checkTarget(action: Action, { contracts }: Rules): void {
  const { account, name } = action
  if (contracts.has(account)) return
  if (name !== 'transfer') throw new Refusal('contract', `Contract ${account} is not allowed`)
  const { to } = readTransfer(action)
  if (!contracts.has(to)) throw new Refusal('recipient', `Transfer recipient ${to} is not allowed`)
}

function checkNoop({ authorization, data }: Action): void {
  if (authorization.length > 1) throw new Refusal('payer', 'The noop must be authorised by the payer alone, once')
  if (data.length > 0) throw new Refusal('payer', 'The noop must have no data')
}

function userOf([second]: Action[], { payer, contracts }: Rules): Authorization {
  if (second === undefined) throw new Refusal('user', 'An action of the user must follow the noop')
  const [authoriser] = second.authorization
  if (authoriser === undefined) throw new Refusal('user', 'The second action must be authorised by the user')
  const { actor } = authoriser
  if (actor === payer) throw new Refusal('payer', 'The payer may authorise the noop alone')
  if (contracts.has(actor)) throw new Refusal('user', `The contract ${actor} is not a user`)
  return authoriser
}

function checkAuthorizations(action: Action, user: string, { payer, contracts }: Rules): void {
  const { account, name, authorization } = action
  if (account === payer && name === NOOP) throw new Refusal('payer', 'Only the first action may be the noop')
  if (authorization.length === 0) throw new Refusal('user', `${account}::${name} must be authorised by ${user}`)
  if (authorization.length > MAX_AUTHORIZATIONS)
    throw new Refusal('size', `${account}::${name} has more than ${MAX_AUTHORIZATIONS} authorizations`)
  for (const { actor } of authorization) {
    if (actor === payer) throw new Refusal('payer', 'The payer may authorise the noop alone')
    if (actor !== user)
      throw new Refusal(
        'user',
        `All actions must be authorised by ${user} alone; ${actor} authorises ${account}::${name}`,
      )
  }
  if (contracts.has(account)) return
  const { from } = readTransfer(action)
  if (from === payer) throw new Refusal('payer', 'Tokens of the payer may not be transferred')
  if (from !== user) throw new Refusal('user', `Tokens of ${from} cannot be transferred by ${user}`)
}

function checkSize(
  { actions, maxCpuUsageMs, maxNetUsageWords }: UserTransaction,
  { cpuCeilingMs, requireCpuBound }: Rules,
): void {
  if (actions.length > MAX_ACTIONS) throw new Refusal('size', `There are more than ${MAX_ACTIONS} actions`)
  const allowed = requireCpuBound ? `1 to ${cpuCeilingMs}` : `0, or at most ${cpuCeilingMs}`
  if (maxCpuUsageMs > cpuCeilingMs || (maxCpuUsageMs === 0 && requireCpuBound))
    throw new Refusal('size', `max_cpu_usage_ms is ${maxCpuUsageMs}: set ${allowed}`)
  if (maxNetUsageWords > MAX_NET_WORDS)
    throw new Refusal('size', `max_net_usage_words is ${maxNetUsageWords}: set 0, or at most ${MAX_NET_WORDS}`)
}

function checkHeader({ delaySec, contextFreeActions, extensions }: UserTransaction): void {
  if (delaySec > 0) throw new Refusal('header', 'delay_sec must be 0')
  if (contextFreeActions.length > 0) throw new Refusal('header', 'Context-free actions are not allowed')
  if (extensions > 0) throw new Refusal('header', 'Transaction extensions are not allowed')
}
