// Checks what a relayer talks to, as it would use it: the bridge API, its database, nodes of the right chains with recent
// blocks, coins for gas, light clients, and the permission of its account. Only asks: nothing is signed.
import type { RelayConfig } from '../../config/relay-schema.ts'
import { type AccountInfo, type Permission, parseAccount } from '../../cosign/node/account.ts'
import { sameKey } from '../../cosign/public-key.ts'
import { ChainApi } from '../../net/chain-api.ts'
import { request, withoutSecrets } from '../../net/http.ts'
import { type LinkedActions, linkedActionsOf } from '../../relay/antelope/allowed.ts'
import { AntelopeChain } from '../../relay/antelope/node.ts'
import type { AntelopeTarget, EvmTarget, Targets } from '../../relay/chains.ts'
import { chainValue } from '../../relay/choice/per-chain.ts'
import { EvmChain } from '../../relay/evm/chain.ts'
import { SILENT } from '../../relay/log.ts'
import { relayStatus } from '../../relay/status.ts'
import { type Finding, fail, failure, ok, warn } from './finding.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 16 << 20
const { signal } = new AbortController()

/** Keys whose owners the nodes are asked about; null without one. */
export interface RelayKeys {
  /** EVM address. */
  address: string | null
  /** Antelope public key. */
  publicKey: string | null
}

export async function checkRelayNodes(
  relay: RelayConfig,
  { evm, antelope, ledger }: Targets,
  { address, publicKey }: RelayKeys,
): Promise<Finding[]> {
  const checks = [
    checkApi(relay),
    ...(address === null ? [] : evm.map((target) => checkEvmTarget(target, address, relay))),
    ...(publicKey === null
      ? []
      : antelope.map((target) => checkAntelopeTarget(target, publicKey, relay, target.name === ledger.name))),
  ]
  return (await Promise.all(checks)).flat()
}

/** The journal, and whether the relayer is switched off. */
export async function checkRelayDatabase(url: string): Promise<Finding> {
  const subject = 'relayer database'
  try {
    const { off } = await relayStatus(url)
    if (off.length === 0) return ok(subject, 'this login can use the journal')
    return warn(subject, `switched off: ${off.map(({ name }) => name).join(', ')}`, 'headwater relay --on')
  } catch (error) {
    return failure(subject, error, 'correct DATABASE_URL')
  }
}

async function checkApi({ api }: RelayConfig): Promise<Finding[]> {
  const subject = `relayer API ${withoutSecrets(api)}`
  const remedy = 'relay.api is the bridge API of an instance that indexes the ledger'
  try {
    const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal }
    const { status, text } = await request(`${api.replace(/\/$/, '')}/pending?limit=1`, bounds)
    if (status !== 200) return [fail(subject, `answers ${status}`, remedy)]
    const isList = Array.isArray((JSON.parse(text) as { pending?: unknown }).pending)
    return [isList ? ok(subject, 'lists the open work') : fail(subject, 'answers without a list', remedy)]
  } catch (error) {
    return [failure(subject, error, remedy)]
  }
}

async function checkEvmTarget(target: EvmTarget, address: string, relay: RelayConfig): Promise<Finding[]> {
  const { name, urls } = target
  const found: Finding[] = []
  for (const url of urls) found.push(await checkEvmNode(target, url, relay))
  const chain = evmChain(target, urls)
  const least = chainValue(relay.warnBalance, name, 0.1)
  try {
    const balance = Number(await chain.balance(address)) / 1e18
    const text = `${address} has ${balance} coins for gas`
    found.push(
      balance < least
        ? warn(`relayer balance on ${name}`, text, `send it coins: relay.warnBalance is ${least}`)
        : ok(`relayer balance on ${name}`, text),
    )
  } catch (error) {
    found.push(failure(`relayer balance on ${name}`, error, 'correct relay.nodes'))
  }
  return [...found, await checkLightClients(chain, target)]
}

const evmChain = ({ name, chainId, timeoutMs }: EvmTarget, urls: readonly string[]): EvmChain =>
  new EvmChain({ name, chainId, urls, timeoutMs: Math.min(timeoutMs, TIMEOUT_MS) }, signal)

async function checkEvmNode(target: EvmTarget, url: string, { maxLagSeconds }: RelayConfig): Promise<Finding> {
  const subject = `relayer node of ${target.name} ${withoutSecrets(url)}`
  try {
    const { number, time, finalNumber } = await evmChain(target, [url]).head()
    return headFinding(subject, `chain ${target.chainId}, head ${number}`, time, maxLagSeconds, finalNumber > 0)
  } catch (error) {
    return failure(subject, error, 'correct relay.nodes')
  }
}

/** @param time  of the head, Unix seconds */
function headFinding(subject: string, head: string, time: number, maxLagSeconds: number, hasFinal: boolean): Finding {
  const age = Math.round(Date.now() / 1000 - time)
  const text = `${head}, ${age} s old`
  if (age > maxLagSeconds) return warn(subject, text, 'nothing is sent while it lags: wait, or use another node')
  if (!hasFinal)
    return warn(subject, `${text}, no final block`, 'transactions stay open: use a node that follows finality')
  return ok(subject, text)
}

async function checkLightClients(chain: EvmChain, { name, contracts }: EvmTarget): Promise<Finding> {
  const subject = `relayer contracts on ${name}`
  try {
    const found = await chain.lightClientsOf(contracts.withdrawals)
    const others = found.filter((one) => contracts.lightClients.length > 0 && !contracts.lightClients.includes(one))
    if (others.length === 0) return ok(subject, `the light client is ${found.join(', ')}`)
    const text = `withdrawals contracts use the light client ${others.join(', ')}, which is not configured`
    return fail(subject, text, `correct contracts.lightClients of ${name}`)
  } catch (error) {
    return failure(subject, error, `correct contracts.withdrawals of ${name}`)
  }
}

async function checkAntelopeTarget(
  { name, chainId, url, contracts }: AntelopeTarget,
  publicKey: string,
  relay: RelayConfig,
  isLedger: boolean,
): Promise<Finding[]> {
  const subject = `relayer node of ${name} ${withoutSecrets(url)}`
  try {
    const info = await new AntelopeChain(name, url, signal, SILENT).info()
    if (info.chainId !== chainId) return [fail(subject, `is of chain ${info.chainId}`, 'correct relay.nodes')]
    const api = new ChainApi({ url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal })
    const head = headFinding(subject, 'the right chain', info.headTime / 1000, relay.maxLagSeconds, true)
    const needed = linkedActionsOf(contracts, relay, isLedger)
    if (needed.length === 0) return [head]
    const account = parseAccount(await api.ask('get_account', { account_name: relay.account }))
    return [head, ...checkPermission(name, account, publicKey, relay, needed)]
  } catch (error) {
    return [failure(subject, error, 'correct relay.nodes')]
  }
}

/** The key can send what the relayer sends, and nothing else. */
function checkPermission(
  chain: string,
  { permissions }: AccountInfo,
  publicKey: string,
  { account, permission: wanted }: RelayConfig,
  needed: readonly LinkedActions[],
): Finding[] {
  const subject = `relayer permission ${account}@${wanted} on ${chain}`
  const permission = permissions.find(({ name }) => name === wanted)
  if (permission === undefined)
    return [fail(subject, 'the account has no such permission', 'see docs/operate/relayer.md')]
  const key = permission.keys.find((one) => sameKey(one.key, publicKey))
  if (key === undefined || key.weight < permission.threshold)
    return [fail(subject, 'the key of the relayer is not its key', 'change the permission, or the key')]
  if (wanted === 'active' || wanted === 'owner')
    return [
      warn(subject, 'a stolen key can do everything', 'make a permission that is linked to the actions of the bridge'),
    ]
  if (permission.links === null)
    return [warn(subject, 'the node does not report its linked actions', 'ask a node of version 3.1 or newer')]
  return linkFindings(subject, permission.links, needed)
}

function linkFindings(
  subject: string,
  links: NonNullable<Permission['links']>,
  needed: readonly LinkedActions[],
): Finding[] {
  const isLinked = (account: string, action: string) =>
    links.some((link) => link.account === account && (link.action === '' || link.action === action))
  const missing = needed.flatMap(({ account, names }) =>
    names.filter((action) => !isLinked(account, action)).map((action) => `${account}::${action}`),
  )
  const others = links.filter(
    ({ account, action }) =>
      !needed.some((one) => one.account === account && (action === '' || one.names.includes(action))),
  )
  const found: Finding[] = []
  if (missing.length > 0)
    found.push(
      warn(
        subject,
        `not linked to ${missing.join(', ')}, which are refused`,
        'link them: eosio::linkauth, or shorten relay.actions',
      ),
    )
  if (others.length > 0) {
    const names = others.map(({ account, action }) => `${account}::${action === '' ? '*' : action}`)
    found.push(warn(subject, `linked to ${names.join(', ')} too`, 'a stolen key could send these: eosio::unlinkauth'))
  }
  return found.length > 0 ? found : [ok(subject, 'its key, linked to the actions of the relayer only')]
}
