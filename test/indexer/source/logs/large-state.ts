// The packed deltas of a large chain's whole state, made in pieces: code of contracts, which is not
// indexed, an account with its ABI, and balances.
import { readFileSync } from 'node:fs'
import { packAbi } from '../../../../core/antelope/abi/pack.ts'
import { symbolCodeToU64, symbolToU64 } from '../../../../core/antelope/asset.ts'
import { Writer } from '../../../../core/antelope/writer.ts'

export interface StateSize {
  balances: number
  /** Rows of code, 256 kB each. */
  code: number
}

const CODE_BYTES = 1 << 18
const CODE = Uint8Array.from({ length: CODE_BYTES }, (_, index) => index >> 4)
/** Bytes of a balance's row, with its flag and size. */
const BALANCE_BYTES = 2 + 1 + 5 * 8 + 1 + 16
const token = { precision: 4, code: 'BIG' }
const TOKEN_ABI = new URL('../../../../abis/eosio.token.abi.json', import.meta.url)

function headOf(name: string, rows: number): Uint8Array {
  const out = new Writer()
  out.varuint32(0)
  out.string(name)
  out.varuint32(rows)
  return out.finish()
}

function accounts(): Uint8Array {
  const out = new Writer()
  out.bytes(headOf('account', 1))
  const row = new Writer()
  row.varuint32(0)
  row.name('token.svc')
  row.u32(0)
  row.lengthBytes(packAbi(JSON.parse(readFileSync(TOKEN_ABI, 'utf8'))))
  out.u8(1)
  out.lengthBytes(row.finish())
  return out.finish()
}

function codeRow(): Uint8Array {
  const out = new Writer(CODE_BYTES + 8)
  out.u8(1)
  out.lengthBytes(CODE)
  return out.finish()
}

/** Size of the deltas, bytes. */
export function stateBytes({ balances, code }: StateSize): number {
  const heads = 1 + headOf('code', code).length + headOf('contract_row', balances).length
  return heads + accounts().length + code * codeRow().length + balances * BALANCE_BYTES
}

/** The deltas in pieces of about a quarter of a megabyte. The balance of the n-th account is n. */
export function* stateChunks({ balances, code }: StateSize): Generator<Uint8Array> {
  yield Uint8Array.of(3)
  yield headOf('code', code)
  const row = codeRow()
  for (let i = 0; i < code; i++) yield row
  yield accounts()
  yield headOf('contract_row', balances)
  const symbol = symbolToU64(token)
  const scope = symbolCodeToU64(token.code)
  for (let i = 0; i < balances; ) {
    const out = new Writer(CODE_BYTES)
    for (const end = Math.min(balances, i + 4000); i < end; i++) {
      const owner = (BigInt(i) + 1n) << 24n
      out.u8(1)
      out.varuint32(BALANCE_BYTES - 2)
      out.varuint32(0)
      out.name('token.svc')
      out.u64(owner)
      out.name('accounts')
      out.u64(scope)
      out.u64(owner)
      out.varuint32(16)
      out.i64(BigInt(i))
      out.u64(symbol)
    }
    yield out.finish()
  }
}
