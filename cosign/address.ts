// Limits are counted by address bucket, not by full address.
import { createHmac, randomBytes } from 'node:crypto'
import { isIP, isIPv6 } from 'node:net'

/** IPv4: the address. IPv6: its /64 prefix, the least that a subscriber has. All other texts share one bucket. */
export function addressBucket(address: string): string {
  const plain = withoutPort(address).split('%')[0] as string
  if (isIP(plain) === 0) return 'unknown'
  if (!isIPv6(plain)) return plain
  const all = groups(plain)
  return isMapped(all) ? dotted(all) : `${all.slice(0, 4).join(':')}::/64`
}

/** Removes the port that some proxies add: `203.0.113.9:1234`, `[2001:db8::1]:1234`. */
function withoutPort(address: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? []
  return bracketed ?? dotted ?? address
}

/** Whether eight groups are an IPv4-mapped IPv6 address (`::ffff:0:0/96`). */
function isMapped(all: readonly string[]): boolean {
  return all.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
}

function dotted(all: readonly string[]): string {
  const words = all.slice(6).map((group) => Number.parseInt(group, 16))
  return words.flatMap((word) => [word >> 8, word & 255]).join('.')
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groups(address: string): string[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((word) => word.toString(16)).join(':'),
  )
  const [head = '', tail] = hex.split('::')
  const list = (text: string | undefined) => (text ? text.split(':') : [])
  const [before, after] = [list(head), list(tail)]
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(zeros).fill('0'), ...after].map((group) =>
    Number.parseInt(group, 16).toString(16),
  )
}

const salt = randomBytes(32)

/**
 * Keyed hash of an address bucket. It links log lines of one address within one process and does not reveal the
 * address.
 */
export function addressMark(bucket: string): string {
  return createHmac('sha256', salt).update(bucket).digest('hex').slice(0, 12)
}
