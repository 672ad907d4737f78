// Pages of a column: headers, and zstd compression on another thread at the default level.
import { compress } from '@mongodb-js/zstd'
import { ThriftWriter, type Write } from './thrift.ts'

export interface Page {
  /** Header and compressed content. */
  bytes: Buffer[]
  size: number
  /** Size of header and content before compression. */
  plainSize: number
}

const DATA_PAGE = 0
const DICTIONARY_PAGE = 2
export const PLAIN = 0
export const RLE = 3
export const DELTA_BINARY_PACKED = 5
export const DELTA_LENGTH_BYTE_ARRAY = 6
export const RLE_DICTIONARY = 8

export function dataPage(content: Buffer, values: number, encoding: number): Promise<Page> {
  return page(DATA_PAGE, content, (out) =>
    out.child(5, (header) => {
      header.int32(1, values)
      header.int32(2, encoding)
      header.int32(3, RLE)
      header.int32(4, RLE)
    }),
  )
}

export function dictionaryPage(content: Buffer, values: number): Promise<Page> {
  return page(DICTIONARY_PAGE, content, (out) =>
    out.child(7, (header) => {
      header.int32(1, values)
      header.int32(2, PLAIN)
    }),
  )
}

async function page(type: number, content: Buffer, describe: Write): Promise<Page> {
  const body = await compress(content)
  const header = new ThriftWriter()
    .struct((out) => {
      out.int32(1, type)
      out.int32(2, content.length)
      out.int32(3, body.length)
      describe(out)
    })
    .take()
  return { bytes: [header, body], size: header.length + body.length, plainSize: header.length + content.length }
}
