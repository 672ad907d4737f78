// All contract tables of the recorded node, from the recording's deltas decoded by wharfkit, with packed rows.
import { ABI, Serializer } from '@wharfkit/antelope'
import { readRecording } from '../../../indexer/source/recording.ts'
import type { NodeTables } from '../../support/table-server.ts'
import type { Plain } from '../replay/frames.ts'

export async function recordedTables(path: string): Promise<NodeTables> {
  const tables: NodeTables = new Map()
  let abi: ABI | undefined
  const keepAbi = (text: string) => {
    abi = ABI.from(text)
  }
  for await (const { bytes } of readRecording(path, keepAbi)) {
    const decode = (type: string, data: string | Uint8Array): Plain =>
      JSON.parse(JSON.stringify(Serializer.decode({ data, type, abi: abi as ABI })))
    for (const [, { name, rows }] of decode('table_delta[]', decode('result', bytes)[1].deltas)) {
      if (name !== 'contract_row') continue
      for (const { present, data } of rows) apply(tables, Number(present) !== 0, decode('contract_row', data)[1])
    }
  }
  return tables
}

function apply(tables: NodeTables, present: boolean, { code, scope, table, primary_key, value }: Plain): void {
  const name = `${code}/${scope}/${table}`
  const rows = tables.get(name) ?? new Map()
  tables.set(name, rows)
  if (present) rows.set(BigInt(primary_key), Uint8Array.from(Buffer.from(value, 'hex')))
  else rows.delete(BigInt(primary_key))
}
