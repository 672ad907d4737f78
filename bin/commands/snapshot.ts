// `headwater snapshot check FILE`: reads a snapshot of a node to its end. Needs neither a database nor a node.
import { nameOfParts } from '../../core/antelope/name.ts'
import type { TableId } from '../../core/antelope/snapshot/tables.ts'
import { isLegacy } from '../../indexer/finality/import-start.ts'
import { readSnapshot, type SnapshotHead } from '../../indexer/source/snapshot/snapshot.ts'
import { UNTRIED_VERSION } from '../checks/snapshot.ts'
import type { Command } from '../cli/command.ts'
import { UsageError } from '../cli/parse.ts'
import { shutdownSignal } from '../cli/shutdown.ts'

export const command: Command = {
  name: 'snapshot',
  positionals: 'check FILE',
  options: { json: { type: 'boolean', help: 'print JSON' } },
  help: `FILE is a snapshot-*.bin of nodeos, or that file compressed with zstd. Prints its version, chain id, block and what
it holds. Its sections, numbers of rows and orders of keys must agree. No chain commits to the rows.`,
  async run(args) {
    const [what, path, ...more] = args.positionals
    if (what !== 'check') throw new UsageError(`unknown argument ${what}`, 'use `headwater snapshot check FILE`')
    if (path === undefined || more.length > 0)
      throw new UsageError('one FILE is needed', 'see `headwater snapshot --help`')
    const started = performance.now()
    let [rows, abis, tables] = [0, 0, 0]
    const contracts = new Set<string>()
    const head = await readSnapshot(path, {
      wantsAbi: () => true,
      wantsTable: (table) => {
        tables++
        contracts.add(codeOf(table))
        return true
      },
      onAbi: () => abis++,
      onRow: () => rows++,
      signal: shutdownSignal(),
    })
    const seconds = Math.round(performance.now() - started) / 1000
    const found = { ...described(head), contracts: contracts.size, tables, rows, abis, seconds }
    process.stdout.write(args.values.json === true ? `${JSON.stringify(found, null, 2)}\n` : textOf(path, found))
    return 0
  },
}

const codeOf = ({ codeLow, codeHigh }: TableId): string => nameOfParts(codeLow, codeHigh)

function described({ version, chainId, num, id, time, start }: SnapshotHead) {
  const finality = start === null ? null : isLegacy(start) ? 'producers' : 'finalizers'
  return {
    version,
    isTried: version > UNTRIED_VERSION,
    chainId,
    block: num,
    id,
    time: new Date(time).toISOString(),
    finality,
  }
}

interface Found extends ReturnType<typeof described> {
  contracts: number
  tables: number
  rows: number
  abis: number
  seconds: number
}

function textOf(path: string, found: Found): string {
  const { version, isTried, chainId, block, id, time, finality, contracts, tables, rows, abis, seconds } = found
  const tried = isTried ? '' : ' (not tried on files of real nodes)'
  const start = finality === null ? 'no start of finality' : `start of finality: ${finality}`
  return `${path}: version ${version}${tried}
chain ${chainId}
block ${block} ${id}, ${time}, ${start}
${rows} rows in ${tables} tables of ${contracts} contracts, ${abis} ABIs, read in ${seconds} s
`
}
