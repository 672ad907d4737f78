// The answer of an S3 server to a request for a list of files.

export interface ListPage {
  keys: string[]
  /** Whether there are more keys. */
  isCut: boolean
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Reads one page (ListObjectsV2, asked for with `encoding-type=url`, which some servers ignore). */
export function pageOf(xml: string): ListPage {
  const isEncoded = /<EncodingType>url<\/EncodingType>/.test(xml)
  const keys = [...xml.matchAll(/<Contents>.*?<Key>([^<]*)<\/Key>.*?<\/Contents>/gs)].map(([, key = '']) =>
    isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : unescaped(key),
  )
  return { keys, isCut: /<IsTruncated>true<\/IsTruncated>/.test(xml) }
}

/** The text of an XML element. */
export function unescaped(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name = '') => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return decimal === undefined ? (ENTITIES[name] ?? whole) : String.fromCodePoint(Number(decimal))
  })
}
