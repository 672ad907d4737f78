// Converts a block that a server has decoded (Hyperion) to the form of blocks that this program decodes: the same
// filter and order, and values of the types in the book's ABIs.

import { packAbi } from '../../core/antelope/abi/pack.ts'
import { parseAbi } from '../../core/antelope/abi/parse.ts'
import { nameToU64 } from '../../core/antelope/name.ts'
import { DecodeError } from '../../core/errors.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import type { UnpackedAction, UnpackedBlock, UnpackedRow } from '../source/source.ts'
import { type AbiBook, BLOCK_END } from './abi-book.ts'
import { attempt, isKnownAction, Reason } from './attempt.ts'
import type { DecodedBlock, DecodedData, PackedValue } from './decoded.ts'
import { MATCH, type Watch } from './watch.ts'

const encoder = new TextEncoder()

/** Converts a block and adds its ABI changes to the book. @throws DecodeError; the book may then have some of them */
export function decodeUnpacked(source: UnpackedBlock, watch: Watch, abis: AbiBook): DecodedBlock {
  const { num, id, prevId, lib, head, time, producer } = source
  const block: DecodedBlock = {
    num,
    id,
    prevId,
    time,
    producer,
    lib,
    head,
    actions: [],
    rows: [],
    undecoded: [],
    undecodedRows: [],
    abiChanges: [],
  }
  const actions = source.actions.filter(({ receiver, account }) => receiver === account)
  actions.sort((a, b) => (a.globalSeq < b.globalSeq ? -1 : a.globalSeq > b.globalSeq ? 1 : 0))
  for (const action of actions) takeAction(action, block, watch, abis)
  for (const row of source.rows) takeRow(row, block, watch, abis)
  return block
}

function takeAction(action: UnpackedAction, block: DecodedBlock, watch: Watch, abis: AbiBook): void {
  const { globalSeq, trxId, account, name } = action
  const at = [...halves(account), ...halves(name)] as const
  if (watch.isSetAbi(...at)) takeSetAbi(action, block, watch, abis)
  const match = watch.matchAction(...at)
  if (match === MATCH.skip) return
  const abi = abis.at(account, block.num, globalSeq)
  if (match === MATCH.other && isKnownAction(abi, name)) return
  const data = attempt(abi, 'actions', name, (known) => known.actionFromJson(name, action.data))
  if (!(data instanceof Reason)) {
    block.actions.push({ globalSeq, trxId, ordinal: 0, creatorOrdinal: 0, account, name, data, ...packed(action.data) })
  } else if (match !== MATCH.any) {
    block.undecoded.push({ globalSeq, trxId, account, name, ...data, raw: rawOf(action.data) })
  }
}

function takeRow(source: UnpackedRow, block: DecodedBlock, watch: Watch, abis: AbiBook): void {
  const { code, scope, table, present } = source
  const match = watch.matchTable(...halves(code), ...halves(table))
  if (match !== MATCH.wanted && match !== MATCH.any) return
  const primaryKey = unsigned(source.primaryKey)
  const row = { code, scope, scopeRaw: nameToU64(scope), table, primaryKey, present }
  const abi = abis.at(code, block.num, BLOCK_END)
  const data = attempt(abi, 'tables', table, (known) => known.rowFromJson(table, source.data))
  if (!(data instanceof Reason)) block.rows.push({ ...row, data, ...packed(source.data) })
  else if (match !== MATCH.any) block.undecodedRows.push({ ...row, ...data, raw: rawOf(source.data) })
}

/** Adds an ABI, which servers send as hex or unpacked. */
function takeSetAbi({ data, globalSeq }: UnpackedAction, block: DecodedBlock, watch: Watch, abis: AbiBook): void {
  const { account, abi: source } = data
  if (typeof account !== 'string') throw new DecodeError('INVALID_JSON_VALUE', 'setabi names no account')
  if (!watch.matchAbi(...halves(account))) return
  const abi = typeof source === 'string' ? fromHex(source) : packAbi(parseAbi(source as object))
  const change = { account, globalSeq, abi, hash: toHex(sha256(abi)) }
  block.abiChanges.push(change)
  abis.apply({ ...change, blockNum: block.num })
}

/** A name's 64 bits, as the filter compares them. */
function halves(name: string): [low: number, high: number] {
  const value = nameToU64(name)
  return [Number(value & 0xffffffffn), Number(value >> 32n)]
}

function unsigned(text: string): bigint {
  if (/^\d{1,20}$/.test(text)) return BigInt(text)
  throw new DecodeError('INVALID_JSON_VALUE', `not a primary key: ${JSON.stringify(text)}`)
}

/** The JSON of a value, in place of the bytes that a node sends. */
function packed(data: DecodedData): PackedValue {
  const frame = rawOf(data)
  return { frame, start: 0, end: frame.length }
}

function rawOf(data: DecodedData): Uint8Array {
  return encoder.encode(JSON.stringify(data))
}
