// Whom an address is counted as.
import { createHmac, randomBytes } from 'node:crypto'
import { isIP, isIPv6 } from 'node:net'

/** IPv4 addresses one by one; IPv6 by its first 64 bits, which one subscriber has at least; what is none, together. */
export function addressBucket(address: string): string {
  const plain = address.split('%')[0] as string
  if (isIP(plain) === 0) return 'unknown'
  const mapped = /^(?:0*:)*(?:ffff:)((?:\d{1,3}\.){3}\d{1,3})$/i.exec(plain)
  if (mapped) return mapped[1] as string
  if (!isIPv6(plain)) return plain
  return `${groups(plain).slice(0, 4).join(':')}::/64`
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

/** A mark by which the requests of one address can be told together in the log of one process, and nothing more. */
export function addressMark(bucket: string): string {
  return createHmac('sha256', salt).update(bucket).digest('hex').slice(0, 12)
}
