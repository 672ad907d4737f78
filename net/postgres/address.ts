// The address of a database, DATABASE_URL: one server or several, and settings that the driver does not know.
import { UserError } from '../../core/errors.ts'

/** As libpq's `target_session_attrs`. */
export const SESSION_ATTRIBUTES = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const
export type SessionAttributes = (typeof SESSION_ATTRIBUTES)[number]

export interface Host {
  /** `db1:5432`, for messages. */
  name: string
  host: string
  port: number
}

export interface Address {
  /** In the order of the address. Without one there, the host of the setting `host`, which may be a Unix socket. */
  hosts: readonly Host[]
  /** Undefined when the address does not set it. */
  attributes: SessionAttributes | undefined
  /** Whether a pooler in transaction mode is between the program and the server: `pgbouncer=true`. */
  isPooled: boolean
  /** The address of one of the hosts, as the driver takes it. */
  urlOf(host: Host): string
}

const URL_PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/
const HOST = /^(\[[^\]]+\]|[^:[\]]*)(?::(\d+))?$/
const PORT = 5432

/**
 * @param url  `postgresql://user:password@host1:port1,host2:port2/database?setting=value`; a host without a port has 5432
 * @returns null for an address that the driver understands as it is: one host without settings of Headwater
 * @throws UserError DATABASE_ADDRESS
 */
export function parseAddress(url: string): Address | null {
  const [, scheme = '', authority = '', path = '', query = ''] = URL_PARTS.exec(url) ?? []
  const settings = new URLSearchParams(query)
  const [attributes, pooled] = [settings.get('target_session_attrs'), settings.get('pgbouncer')]
  const names = authority.slice(authority.lastIndexOf('@') + 1).split(',')
  if (names.length === 1 && attributes === null && pooled === null) return null
  for (const name of ['target_session_attrs', 'pgbouncer']) settings.delete(name)
  const login = authority.slice(0, authority.lastIndexOf('@') + 1)
  const rest = settings.size === 0 ? '' : `?${settings}`
  const isElsewhere = names.length === 1 && names[0] === ''
  return {
    hosts: isElsewhere ? [settingHost(settings)] : names.map(hostOf),
    attributes: attributes === null ? undefined : attributesOf(attributes),
    isPooled: pooled !== null && isPooled(pooled),
    urlOf: ({ name }) => `${scheme}${login}${isElsewhere ? '' : name}${path}${rest}`,
  }
}

function settingHost(settings: URLSearchParams): Host {
  const host = settings.get('host') ?? 'localhost'
  return { name: host, host, port: Number(settings.get('port') ?? PORT) }
}

function hostOf(text: string): Host {
  const [, host, port] = HOST.exec(text) ?? []
  const number = port === undefined ? PORT : Number(port)
  if (host === undefined || host === '' || number < 1 || number > 65535)
    throw refused(`${JSON.stringify(text)} is not a host`, 'give HOST:PORT for each server, with commas between them')
  return { name: `${host}:${number}`, host: decodeURIComponent(host.replace(/^\[|\]$/g, '')), port: number }
}

function attributesOf(text: string): SessionAttributes {
  const found = SESSION_ATTRIBUTES.find((one) => one === text)
  if (found !== undefined) return found
  throw refused(`target_session_attrs=${text} is unknown`, `give ${SESSION_ATTRIBUTES.join(', ')}`)
}

function isPooled(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw refused(`pgbouncer=${text} is unknown`, 'give true or false')
}

function refused(text: string, hint: string): UserError {
  return new UserError('DATABASE_ADDRESS', `in the address of the database, ${text}`, {
    hint: `correct DATABASE_URL: ${hint}`,
  })
}
