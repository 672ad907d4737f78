// Removes secrets from a report that an operator sends to a maintainer. Stricter than the masking of the log: the
// maintainer needs neither logins nor long parts of paths, which often are keys.

import { hasKey } from '../../core/shown-path.ts'

const MASK = '***'
/** Minimum length of a secret, characters: shorter values are ordinary words, which are not masked everywhere. */
const MIN_SECRET = 4
/** Parameters of database addresses that are not secret. */
const OPEN_PARAMETERS = /^(host|port|user|dbname|sslmode|target_session_attrs|application_name|pooler)$/
/** `name=value`, `name: value`, `"name": "value"`, `Authorization: Bearer value`. */
const NAMED_SECRET =
  /((?:password|passwd|passphrase|pwd|secret|token|api[_\s-]?key|access[_\s-]?key|private[_\s-]?key|authorization)["']?\s*[=:]\s*(?:bearer\s+|basic\s+)?)(?:(?:(["'])(?:(?!\2).)*\2)|(?!\*\*\*)[^\s"',}&]+)/gi
const SECRET_NAME = /password|passwd|passphrase|secret|api_?key|private_?key/i
const SECRET_VARIABLE = /(PASSWORD|PASSWD|SECRET|TOKEN|PRIVATE_KEY|API_?KEY)/i

/**
 * Values that must not appear anywhere in the report: variables whose name says that they are secret, and passwords in
 * the URLs of any variable.
 *
 * @param env  environment of the process
 * @returns longest first, so that a secret is masked before a part of it
 */
export function secretsOf(env: NodeJS.ProcessEnv): string[] {
  const found = Object.entries(env).flatMap(([name, value = '']) => [
    // The value of a variable `..._FILE` is a path, which is not secret. A value that is a key by mistake is masked.
    ...(SECRET_VARIABLE.test(name) && !name.endsWith('_FILE') ? [value] : []),
    ...(name.endsWith('_KEY_FILE') && hasKey(value) ? [value, value.replace(/^0x/, '')] : []),
    ...[...value.matchAll(/:\/\/[^\s,/@:]*:([^\s,]*)@/g)].map(([, password]) => password as string),
    ...[...value.matchAll(/[?&]password=([^&#\s,]*)/g)].map(([, password]) => password as string),
  ])
  const forms = found.flatMap((one) => [one, decoded(one)])
  return [...new Set(forms)].filter((one) => one.length >= MIN_SECRET).sort((a, b) => b.length - a.length)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** @param secrets  result of `secretsOf` */
export function maskText(text: string, secrets: readonly string[]): string {
  let masked = text
  for (const secret of secrets) masked = masked.replaceAll(secret, MASK)
  return (
    maskUrls(masked)
      // `user:password@host` without a valid scheme before it.
      .replace(/[^\s"'/@=]+:(?!\/\/)[^\s"'@]+@(?=[\w.[-])/g, `${MASK}@`)
      // A quoted value ends at the same quote, an unquoted one at a space or a separator.
      .replace(NAMED_SECRET, (_, name, quote) => `${name}${quote ?? ''}${MASK}${quote ?? ''}`)
      // Private keys of Antelope, in both text forms.
      .replace(/\bPVT_(K1|R1|WA)_\w+|\b5[HJK][1-9A-HJ-NP-Za-km-z]{49}\b/g, MASK)
  )
}

/** Masks logins, and parts that may be keys, in the URLs of a text. */
export function maskUrls(text: string): string {
  return text.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, maskUrl)
}

/** Keeps scheme, host, port, short parts of the path, and harmless parameters. */
function maskUrl(url: string): string {
  const [whole = '', ...parameters] = url.split(/[?&#]/)
  const at = whole.lastIndexOf('@')
  const begin = whole.indexOf('://') + 3
  const address = at < begin ? whole : `${whole.slice(0, begin)}${MASK}@${whole.slice(at + 1)}`
  const path = address.slice(0, begin) + address.slice(begin).replace(/(?<=\/)[^/]{20,}/g, MASK)
  const query = parameters.map((one) => {
    const [name = '', ...value] = one.split('=')
    if (value.length === 0) return MASK
    return OPEN_PARAMETERS.test(name) ? one : `${name}=${MASK}`
  })
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

/** Masks every text in a JSON value. */
export function maskValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return maskText(value, secrets)
  if (Array.isArray(value)) return value.map((one) => maskValue(one, secrets))
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        typeof one === 'string' && SECRET_NAME.test(name) && !/file$/i.test(name) ? MASK : maskValue(one, secrets),
      ]),
    )
  return value
}

/**
 * A comment, a quoted name or a literal in SQL. One pattern finds all of them from left to right, because each may
 * contain the quotes of the others. A backslash is an escape only in E'...' (`standard_conforming_strings` is on). A
 * statement that PostgreSQL has truncated may end inside of any of them.
 */
const QUOTED =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"]|"")*(?:"|$)|\b[eE]'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|'(?:[^']|'')*(?:'|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)/g

/** Removes comments and text literals from a statement, joins spaces, and cuts it after 300 characters. Names and numbers stay. */
export function maskStatement(sql: string): string {
  const bare = sql
    .replace(QUOTED, (part) => (part.startsWith('"') ? part : /^(--|\/\*)/.test(part) ? ' ' : "'?'"))
    .replace(/\s+/g, ' ')
    .trim()
  return bare.length > 300 ? `${bare.slice(0, 300)}…` : bare
}
