// Restricts image links of an on-chain registry to public https hosts. Anyone may have written these links.

/** Web servers that serve files of IPFS and Arweave by content id. */
const IPFS = 'https://ipfs.io/ipfs/'
const ARWEAVE = 'https://arweave.net/'

const CONTENT_ID = /^(Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{58,})(\/[\w\-./%]*)?$/
const ARWEAVE_ID = /^[\w-]{43}(\/[\w\-./%]*)?$/
const PUBLIC_NAME = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/
/** Host names that resolve to the IP address written in them, such as 127.0.0.1.nip.io. */
const WRITTEN_ADDRESS = /(^|[.-])(\d{1,3}[.-]){3}\d{1,3}([.-]|$)/
const LOCAL_NAME = /(^|\.)(localhost|local|internal|lan|home|corp|intranet|arpa|test|invalid|example|onion)$/

/**
 * The URL of an image.
 *
 * @param link  https address, `ipfs://…`, `ipfs/…`, a bare content id, or `ar://…`
 * @returns an https URL of a named public host; null for anything else
 */
export function logoAddress(link: string): string | null {
  const text = link.trim()
  const ipfs = text.replace(/^(ipfs:\/\/|\/?ipfs\/)(ipfs\/)?/i, '')
  if (CONTENT_ID.test(ipfs)) return httpsAddress(`${IPFS}${ipfs}`)
  const arweave = text.replace(/^ar:\/\//i, '')
  if (arweave !== text && ARWEAVE_ID.test(arweave)) return httpsAddress(`${ARWEAVE}${arweave}`)
  return httpsAddress(text)
}

function httpsAddress(text: string): string | null {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return null
  const { protocol, hostname, username, password, port, href } = new URL(text)
  if (protocol !== 'https:' || username !== '' || password !== '' || port !== '') return null
  // IPv4 and IPv6 addresses and names of private networks do not match these patterns.
  if (!PUBLIC_NAME.test(hostname) || LOCAL_NAME.test(hostname) || WRITTEN_ADDRESS.test(hostname)) return null
  return href.length <= 2048 ? href : null
}
