// Checks everything that must hold before a transfer begins, and chooses the next call for the wallet. Runs again
// before each signature, because things may have changed.
import { formatQuantity, formatUnits } from '../../../shared/amounts.ts'
import { allowance, approve, assets, balanceOf, deposit, depositNative, type EvmCall } from '../evm/calls.ts'
import { minimumOf, revertData } from '../evm/errors.ts'
import { coins, trial, useAccount, useChain, view } from '../evm/provider.ts'
import { evmFault, Fault } from '../faults.ts'
import { accountValue, isAccountName, ZERO_ADDRESS } from '../parties.ts'
import { amountOf, problemsOf, typedPrecision, type Way } from '../routes.ts'
import type { AntelopeWallet, ChainAccess, Draft, EvmWallet, Wallet } from '../types.ts'
import { startLabel } from './machine.ts'
import type { Call, Order } from './state.ts'
import type { Surroundings } from './surroundings.ts'

/** Attempts to read a new allowance: the answering node may lag the one that reported the block. */
const MAX_ALLOWANCE_READS = 4
const READ_INTERVAL_MS = 1500
const RESET = 'Reset allowance'
const APPROVE = 'Approve'

export function senderOf(wallet: Wallet): string {
  return wallet.kind === 'evm' ? wallet.address : wallet.account
}

/** Builds an order from a draft and the current routes. @throws Fault with what to change */
export function orderOf(around: Surroundings, draft: Draft, wallet: Wallet): Order {
  const routes = around.routes()
  const [problem] = problemsOf(routes, draft)
  if (problem !== undefined) throw new Fault(problem.code, problem.text)
  const way = routes.way(draft.from, draft.to, draft.token) as Way
  const taken = amountOf(way, draft.amount)
  if (taken === null) throw new Fault('AMOUNT_MALFORMED', 'The amount cannot be read.')
  checkWallet(wallet, way.from)
  const recipient = draft.recipient.trim()
  return { draft, way, units: taken.units, raw: taken.raw, sender: senderOf(wallet), recipient }
}

/** @throws Fault when the wallet does not fit the chain */
export function checkWallet(wallet: Wallet | null, chain: Pick<ChainAccess, 'id' | 'name' | 'kind'>): void {
  if (wallet === null) throw new Fault('WALLET_MISSING', `Connect a wallet for ${chain.name}.`)
  if (wallet.kind !== chain.kind || (wallet.kind === 'antelope' && wallet.chain !== chain.id))
    throw new Fault('WALLET_OTHER_CHAIN', `This wallet is not for ${chain.name}. Connect one that is.`)
}

/** @param after  label of the call that was just mined; null for none @throws Fault */
export async function nextCall(
  around: Surroundings,
  order: Order,
  wallet: Wallet,
  after: string | null,
): Promise<Call> {
  const routes = await around.fresh()
  const [problem] = problemsOf(routes, order.draft)
  if (problem !== undefined) throw new Fault(problem.code, problem.text)
  const way = routes.way(order.draft.from, order.draft.to, order.draft.token) as Way
  await checkReceiver(around, way.to, order.recipient)
  const now = { ...order, way }
  return wallet.kind === 'evm' ? evmCall(now, wallet, after) : antelopeCall(around, now, wallet)
}

/** @throws Fault when the account does not exist, or no node answers */
async function checkReceiver({ node }: Surroundings, to: ChainAccess, recipient: string): Promise<void> {
  if (to.kind === 'evm') return
  const chain = node(to.id)
  if (chain === null)
    throw new Fault(
      'RECIPIENT_UNCHECKED',
      `This site knows no node of ${to.name}, so it cannot check that the account exists. Nothing was sent.`,
    )
  if (!(await chain.hasAccount(recipient)))
    throw new Fault(
      'RECIPIENT_UNKNOWN',
      `There is no account ${recipient} on ${to.name}. Tokens sent to it would come back only after about a week.`,
    )
}

/** Fills the placeholders of a route's template. @throws Fault for an unknown placeholder */
export function fillTemplate(template: string, order: Pick<Order, 'recipient' | 'sender'>): string {
  const filled = template
    .replace('[:<fee>]', '')
    .replace('0x<address>', order.recipient.toLowerCase())
    .replace('<account>', order.recipient)
    .replace('<return address>', order.sender.toLowerCase())
    .replace('<return account>', order.sender)
  if (/[<>[\]]/.test(filled))
    throw new Fault(
      'ROUTE_UNREADABLE',
      'The bridge describes this route in a way that this page does not know. Reload it.',
    )
  return filled
}

async function evmCall(order: Order, wallet: EvmWallet, after: string | null): Promise<Call> {
  const { way, raw } = order
  const how = way.route.how.deposit
  if (how === undefined) throw new Fault('ROUTE_UNREADABLE', 'The bridge does not say how to send this.')
  await useChain(wallet, way.from)
  await useAccount(wallet)
  const { contract: vault, token } = how
  await checkVault(order, wallet, vault, token)
  await checkBalance(order, wallet, token)
  const asked = (label: string, call: EvmCall, last = false): Call => ({
    label,
    chain: way.from.id,
    last,
    body: { kind: 'evm', call },
  })
  if (token !== ZERO_ADDRESS) {
    const before = allowance(token, wallet.address, vault)
    const allowed = await allowanceOf(wallet, before, raw, after)
    if (allowed < raw) {
      const call = approve(token, vault, raw)
      // Some tokens, such as USDT on Ethereum, refuse to change an allowance that is not zero.
      const stubborn = allowed > 0n && !(await passes(wallet, call))
      return stubborn ? asked(RESET, approve(token, vault, 0n)) : asked(APPROVE, call)
    }
  }
  const receiver = fillTemplate(how.telosTo, order)
  if (!isAccountName(receiver)) throw new Fault('ROUTE_UNREADABLE', `${receiver} is no account.`)
  const memo = fillTemplate(how.memo, order)
  const terms = { vault, token, amount: raw, telosTo: accountValue(receiver), refundTo: wallet.address, memo }
  const call = token === ZERO_ADDRESS ? depositNative(terms) : deposit(terms)
  await tryDeposit(order, wallet, call)
  return asked(startLabel('evm'), call, true)
}

/** Checks that the vault exists and has the expected scale: coins sent to an address without code would be lost. */
async function checkVault({ way }: Order, wallet: EvmWallet, vault: string, token: string): Promise<void> {
  const terms = await view(wallet, assets(vault, token), 3)
  const scale = terms?.[0] ?? 0n
  if (terms === null || scale === 0n)
    throw new Fault(
      'VAULT_MISSING',
      `The wallet’s ${way.from.name} has no vault at ${vault}: it is not the chain of this bridge. Nothing was sent.`,
    )
  if (scale !== way.scale)
    throw new Fault(
      'VAULT_DIFFERS',
      'The vault counts this token in another way than the bridge says. Nothing was sent.',
    )
}

async function checkBalance({ way, raw }: Order, wallet: EvmWallet, token: string): Promise<void> {
  const held =
    token === ZERO_ADDRESS
      ? await coins(wallet)
      : ((await view(wallet, balanceOf(token, wallet.address), 1))?.[0] ?? 0n)
  if (held === null || held >= raw) return
  throw notEnough(way, held)
}

function notEnough(way: Way, held: bigint): Fault {
  const { symbol } = way.route
  return new Fault(
    'NOT_ENOUGH',
    `The account has ${formatUnits(held, typedPrecision(way))} ${symbol}, which is less than that.`,
  )
}

/** The vault's allowance, read once the node knows the call that was just mined. */
async function allowanceOf(wallet: EvmWallet, asked: EvmCall, raw: bigint, after: string | null): Promise<bigint> {
  for (let look = 1; ; look++) {
    const allowed = (await view(wallet, asked, 1))?.[0] ?? 0n
    if (allowed >= raw || after === null || (after === RESET && allowed === 0n)) return allowed
    if (look === MAX_ALLOWANCE_READS)
      throw new Fault(
        'ALLOWANCE_TOO_LOW',
        'The wallet has allowed less than the amount. Try again and leave it as it is.',
      )
    await new Promise((resolve) => setTimeout(resolve, READ_INTERVAL_MS))
  }
}

async function passes(wallet: EvmWallet, call: EvmCall): Promise<boolean> {
  try {
    await trial(wallet, call)
    return true
  } catch {
    return false
  }
}

/** Simulates the deposit. @throws Fault with the vault's error */
async function tryDeposit({ way }: Order, wallet: EvmWallet, call: EvmCall): Promise<void> {
  try {
    await wallet.provider.request({
      method: 'eth_call',
      params: [{ from: wallet.address, to: call.to, data: call.data, value: `0x${call.value.toString(16)}` }, 'latest'],
    })
  } catch (error) {
    const least = minimumOf(revertData(error) ?? '')
    if (least === null) throw evmFault(error)
    const { precision, symbol } = way.route
    throw new Fault(
      'CONTRACT_BELOW_MINIMUM',
      `The vault takes no less than ${formatUnits(least, precision)} ${symbol}.`,
    )
  }
}

async function antelopeCall({ node }: Surroundings, order: Order, wallet: AntelopeWallet): Promise<Call> {
  const { way, units } = order
  const { how, symbol, precision, antelopeToken } = way.route
  const target = how.withdraw ?? how.deposit
  if (target === undefined) throw new Fault('ROUTE_UNREADABLE', 'The bridge does not say how to send this.')
  const token = how.withdraw?.token ?? antelopeToken
  const held = await node(way.from.id)?.balance(token, wallet.account, symbol)
  if (held !== undefined && held < units) throw notEnough(way, held)
  const data = {
    from: wallet.account,
    to: target.contract,
    quantity: formatQuantity(units, precision, symbol),
    memo: fillTemplate(target.memo, order),
  }
  const authorization = [{ actor: wallet.account, permission: wallet.permission }]
  const actions = [{ account: token, name: 'transfer', authorization, data }]
  return { label: startLabel('antelope'), chain: way.from.id, last: true, body: { kind: 'antelope', actions } }
}
