// Chooses a server of an address with several hosts. A primary of an older timeline is never chosen: it is the one that
// was replaced by a promotion, and came back.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { RetryableError } from '../../core/errors.ts'
import type { Address, Host, SessionAttributes } from './address.ts'

/** Limit of one host's answer, ms. */
const PROBE_MS = 2000
/** Time that other hosts still get when one has been found, ms. */
const OTHERS_MS = 300
/** Time for which a choice holds, ms: a pool opens its connections at once. */
const CHOICE_MS = 1000

const PROBE = `select pg_is_in_recovery() as standby,
  pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "readOnly",
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`

interface Found {
  host: Host
  standby: boolean
  readOnly: boolean
  /** Of a primary: eight hexadecimal digits, greater after each promotion. */
  timeline: string | null
}

interface Failed {
  host: Host
  reason: string
}

interface Choice {
  found: Promise<Host>
  madeAt: number
}

const choices = new Map<string, Choice>()
/** Greatest timeline of a primary seen by this process, by address. */
const timelines = new Map<string, string>()

/**
 * The first host of the address with the wanted property. Hosts are asked at the same time, so that one which does not
 * answer costs little.
 *
 * @param url  the address as given
 * @throws RetryableError NO_SUITABLE_SERVER with the answer of each host
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

/** Forgets the choice of a host that does not accept connections. */
export function forgetHost(url: string, wanted: SessionAttributes): void {
  choices.delete(`${wanted} ${url}`)
}

function forget(key: string, choice: Choice): void {
  if (choices.get(key) === choice) choices.delete(key)
}

async function choose(url: string, address: Address, wanted: SessionAttributes): Promise<Host> {
  const answers: (Found | Failed)[] = []
  const over = new AbortController()
  const asked = address.hosts.map(async (host) => {
    const answer = await probe(address, host)
    answers.push(answer)
    // A writer waits for all hosts: the first to answer may be a primary that was replaced.
    if ('reason' in answer || wanted === 'read-write') return
    if (rankOf(answer, wanted) === 0) setTimeout(() => over.abort(), OTHERS_MS).unref()
  })
  const enough = delay(PROBE_MS + OTHERS_MS, undefined, { signal: over.signal, ref: false }).catch(() => {})
  await Promise.race([Promise.all(asked), enough])
  return bestOf(url, address, wanted, [...answers])
}

function bestOf(
  url: string,
  { hosts }: Address,
  wanted: SessionAttributes,
  answers: readonly (Found | Failed)[],
): Host {
  const found = answers.filter((answer): answer is Found => !('reason' in answer))
  const newest = [timelines.get(url) ?? '', ...found.map(({ timeline }) => timeline ?? '')].sort().at(-1) ?? ''
  if (newest !== '') timelines.set(url, newest)
  const isReplaced = ({ timeline }: Found) => timeline !== null && timeline < newest
  const ranked = found
    .filter((one) => !isReplaced(one) && rankOf(one, wanted) !== null)
    .sort(
      (a, b) => (rankOf(a, wanted) ?? 0) - (rankOf(b, wanted) ?? 0) || hosts.indexOf(a.host) - hosts.indexOf(b.host),
    )
  const best = ranked[0]
  if (best !== undefined) return best.host
  const reasons = hosts.map((host) => {
    const answer = answers.find((one) => one.host === host)
    return `${host.name} ${answer === undefined ? 'does not answer' : 'reason' in answer ? answer.reason : propertyOf(answer, isReplaced(answer))}`
  })
  throw new RetryableError(
    'NO_SUITABLE_SERVER',
    `no server of the database is ${WANTED[wanted]}: ${reasons.join('; ')}`,
    {
      hint: 'promote a standby or start the primary; target_session_attrs of DATABASE_URL says which servers a reader takes',
    },
  )
}

const WANTED: Readonly<Record<SessionAttributes, string>> = {
  any: 'reachable',
  'read-write': 'a primary that accepts writes',
  'read-only': 'read-only',
  primary: 'a primary',
  standby: 'a standby',
  'prefer-standby': 'reachable',
}

function propertyOf({ standby, readOnly }: Found, isReplaced: boolean): string {
  if (isReplaced) return 'is an old primary: another server was promoted in its place'
  if (standby) return 'is a standby'
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

async function probe(address: Address, host: Host): Promise<Found | Failed> {
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
    return rows[0] === undefined ? { host, reason: 'gives no answer' } : { host, ...rows[0] }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { host, reason: code === 'ECONNREFUSED' ? 'refuses connections' : `fails: ${message}` }
  } finally {
    client.end().catch(() => {})
  }
}
