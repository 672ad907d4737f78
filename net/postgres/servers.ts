// Chooses a server of an address with several hosts. A primary of an older timeline is never chosen: a promotion has
// replaced it. All readers of a process use one host, since standbys lag differently: two of them would give answers that
// jump backwards.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { RetryableError, UserError } from '../../core/errors.ts'
import type { Address, Host, SessionAttributes } from './address.ts'

/** Limit of one host's answer, ms. */
const PROBE_MS = 2000
/** Time that other hosts still get when one has been found, ms. */
const OTHERS_MS = 300
/** Time for which a choice holds, ms: a pool opens its connections at once. */
const CHOICE_MS = 1000

const PROBE = `select pg_is_in_recovery() as standby,
  pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "readOnly",
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8)
    when exists (select from pg_stat_wal_receiver)
      then (select lpad(upper(to_hex(r.received_tli)), 8, '0') from pg_stat_wal_receiver r)
    else lpad(upper(to_hex((pg_control_checkpoint()).timeline_id)), 8, '0') end as timeline`

/** SQLSTATEs of a wrong login or database: another attempt gives the same answer. */
const WRONG_ADDRESS = /^(28...|3D000)$/
/** SQLSTATE: the server or the login has no connection left. */
const TOO_MANY_CONNECTIONS = '53300'

interface Found {
  host: Host
  standby: boolean
  readOnly: boolean
  /**
   * Eight hexadecimal digits, greater after each promotion. Of a standby, the timeline that it receives, or its last
   * checkpoint's while it is not connected. Null: it receives one that this login may not see.
   */
  timeline: string | null
}

interface Failed {
  host: Host
  reason: string
  /** SQLSTATE or code of the system. */
  code: string | undefined
}

type Answer = Found | Failed

interface Choice {
  found: Promise<Host>
  madeAt: number
}

const choices = new Map<string, Choice>()
/** Host of the readers of this process, by property and address. */
const hostsOfReaders = new Map<string, Host>()
/** Called when the readers of an address use another host. */
const moves = new Set<() => void>()
/** Greatest timeline of a primary seen by this process, by address. */
const timelines = new Map<string, string>()

/**
 * The first host of the address with the wanted property; for readers, the one that they already use while it answers.
 * Hosts are asked at the same time, so that one which does not answer costs little.
 *
 * @param url  the address as given
 * @throws RetryableError NO_SUITABLE_SERVER with the answer of each host; UserError DATABASE_UNREACHABLE if all of them
 *   refuse the login or have no such database
 */
export function chooseHost(url: string, address: Address, wanted: SessionAttributes): Promise<Host> {
  const key = `${wanted} ${url}`
  const last = choices.get(key)
  if (last !== undefined && performance.now() - last.madeAt < CHOICE_MS) return last.found
  const choice = { found: choose(url, address, wanted), madeAt: performance.now() }
  choices.set(key, choice)
  choice.found.catch(() => forget(key, choice))
  return choice.found
}

/** Whether the readers of this process have moved to another host than this one. */
export function isAbandoned(url: string, wanted: SessionAttributes, host: Host): boolean {
  const current = hostsOfReaders.get(`${wanted} ${url}`)
  return current !== undefined && current.name !== host.name
}

/** Calls a function after each move of readers, until it returns false. */
export function onMove(listener: () => boolean): void {
  const call = () => {
    if (!listener()) moves.delete(call)
  }
  moves.add(call)
}

/** Forgets the choice of a host that does not accept connections. */
export function forgetHost(url: string, wanted: SessionAttributes): void {
  choices.delete(`${wanted} ${url}`)
}

function forget(key: string, choice: Choice): void {
  if (choices.get(key) === choice) choices.delete(key)
}

async function choose(url: string, address: Address, wanted: SessionAttributes): Promise<Host> {
  const key = `${wanted} ${url}`
  const current = wanted === 'read-write' ? undefined : hostsOfReaders.get(key)
  const answers: Answer[] = []
  const over = new AbortController()
  const asked = address.hosts.map(async (host) => {
    answers.push(await probe(address, host))
    if (isEnough(answers, wanted, current)) setTimeout(() => over.abort(), OTHERS_MS).unref()
  })
  const enough = delay(PROBE_MS + OTHERS_MS, undefined, { signal: over.signal, ref: false }).catch(() => {})
  await Promise.race([Promise.all(asked), enough])
  const best = bestOf(url, address, wanted, [...answers], current)
  if (wanted !== 'read-write') moveReaders(key, best)
  return best
}

/** Whether the other hosts get only a short time to answer. */
function isEnough(answers: readonly Answer[], wanted: SessionAttributes, current: Host | undefined): boolean {
  // A writer waits for all hosts: the first to answer may be a primary that was replaced.
  if (wanted === 'read-write') return false
  if (current !== undefined && !answers.some(({ host }) => host.name === current.name)) return false
  return answers.some((answer) => !('reason' in answer) && rankOf(answer, wanted) === 0)
}

function moveReaders(key: string, host: Host): void {
  const before = hostsOfReaders.get(key)
  hostsOfReaders.set(key, host)
  if (before !== undefined && before.name !== host.name) for (const call of [...moves]) call()
}

/** @param current  the host of the readers, which they keep while it is suitable */
function bestOf(
  url: string,
  { hosts }: Address,
  wanted: SessionAttributes,
  answers: readonly Answer[],
  current: Host | undefined,
): Host {
  const isCurrent = ({ host }: Answer) => host.name === current?.name
  const full = answers.find((one) => isCurrent(one) && 'reason' in one && one.code === TOO_MANY_CONNECTIONS)
  if (full !== undefined) return full.host
  const found = answers.filter((answer): answer is Found => !('reason' in answer))
  const primaries = found.flatMap(({ standby, timeline }) => (standby ? [] : [timeline ?? '']))
  const newest = [timelines.get(url) ?? '', ...primaries].sort().at(-1) ?? ''
  if (newest !== '') timelines.set(url, newest)
  const isOld = ({ timeline }: Found) => timeline !== null && timeline < newest
  // A standby that still follows the old primary comes last: it gets no new blocks.
  const order = (one: Found) => [Number(isOld(one)), Number(!isCurrent(one)), rankOf(one, wanted) ?? 0]
  const [best] = found
    .filter((one) => (one.standby || !isOld(one)) && rankOf(one, wanted) !== null)
    .sort((a, b) => compare([...order(a), hosts.indexOf(a.host)], [...order(b), hosts.indexOf(b.host)]))
  if (best !== undefined) return best.host
  throw noneFound(hosts, wanted, answers, isOld)
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, value] of a.entries()) if (value !== b[i]) return value - (b[i] ?? 0)
  return 0
}

function noneFound(
  hosts: readonly Host[],
  wanted: SessionAttributes,
  answers: readonly Answer[],
  isOld: (found: Found) => boolean,
): UserError | RetryableError {
  const text = hosts
    .map((host) => {
      const answer = answers.find((one) => one.host === host)
      if (answer === undefined) return `${host.name} does not answer`
      return `${host.name} ${'reason' in answer ? answer.reason : propertyOf(answer, isOld(answer))}`
    })
    .join('; ')
  const isWrong = (answer: Answer) => 'reason' in answer && WRONG_ADDRESS.test(answer.code ?? '')
  if (answers.length === hosts.length && answers.every(isWrong))
    return new UserError('DATABASE_UNREACHABLE', `no connection to the database: ${text}`, {
      hint: 'correct DATABASE_URL',
    })
  return new RetryableError('NO_SUITABLE_SERVER', `no server of the database is ${WANTED[wanted]}: ${text}`, {
    hint: 'promote a standby or start the primary; target_session_attrs of DATABASE_URL says which servers a reader takes',
  })
}

const WANTED: Readonly<Record<SessionAttributes, string>> = {
  any: 'reachable',
  'read-write': 'a primary that accepts writes',
  'read-only': 'read-only',
  primary: 'a primary',
  standby: 'a standby',
  'prefer-standby': 'reachable',
}

function propertyOf({ standby, readOnly }: Found, isOld: boolean): string {
  if (standby) return isOld ? 'is a standby of an old primary' : 'is a standby'
  if (isOld) return 'is an old primary: another server was promoted in its place'
  return readOnly ? 'is a primary whose sessions are read-only' : 'is a primary'
}

/** 0: as wanted; 1: if there is no other; null: not. */
function rankOf({ standby, readOnly }: Found, wanted: SessionAttributes): 0 | 1 | null {
  const is = (holds: boolean) => (holds ? 0 : null)
  switch (wanted) {
    case 'any':
      return 0
    case 'read-write':
      return is(!readOnly)
    case 'read-only':
      return is(readOnly)
    case 'primary':
      return is(!standby)
    case 'standby':
      return is(standby)
    case 'prefer-standby':
      return standby ? 0 : 1
  }
}

async function probe(address: Address, host: Host): Promise<Answer> {
  const client = new pg.Client({
    connectionString: address.urlOf(host),
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
    application_name: 'headwater find server',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Omit<Found, 'host'>>(PROBE)
    return rows[0] === undefined ? { host, reason: 'gives no answer', code: undefined } : { host, ...rows[0] }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { host, code, reason: code === 'ECONNREFUSED' ? 'refuses connections' : `fails: ${message}` }
  } finally {
    client.end().catch(() => {})
  }
}
