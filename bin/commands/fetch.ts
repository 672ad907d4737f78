// `headwater fetch ADDRESS`: fills an empty database from a pack, and verifies it against the chain.
import { randomInt } from 'node:crypto'
import { openStore } from '../../net/objects/open.ts'
import { isUnprotected } from '../../packs/format/manifest.ts'
import { type FetchSummary, fetchPack, openPack, type Verification } from '../../packs/read/fetch.ts'
import { UNCOMMITTED } from '../../packs/verify/determined.ts'
import type { Arguments, Command } from '../cli/command.ts'
import { UsageError, wholeNumber } from '../cli/parse.ts'
import { shutdownSignal } from '../cli/shutdown.ts'
import { openDatabase } from '../database.ts'
import { openPackedChain, PACK_OPTIONS } from '../packed-chain.ts'
import { seedAbis } from '../seed-abis.ts'

export const command: Command = {
  name: 'fetch',
  positionals: 'ADDRESS',
  options: {
    ...PACK_OPTIONS,
    verify: {
      type: 'string',
      value: 'full|sample|none',
      help: 'full: compute the rows again from actions that the chain commits to; sample: those of every tenth file, by chance; none: check sizes and digests of files. Default: full',
    },
    trust: {
      type: 'string',
      value: 'HEX',
      help: 'what you trust: SHA-256 of a packed finalizer policy, or the id of a block (64 hex digits); or both: HEX,HEX',
    },
    connections: { type: 'string', value: 'N', help: 'database sessions that load rows at once; default: 2' },
    restart: { type: 'boolean', help: 'remove what an unfinished fetch has loaded, and begin again' },
  },
  help: `ADDRESS is a folder, http(s)://HOST/PATH or s3://BUCKET/PREFIX. Needs no node. A fetch that was stopped continues when it
is run again. Then \`headwater run\` continues from the nodes of the configuration.`,
  async run(args) {
    const verify = verification(args)
    const connections = wholeNumber(args, 'connections', 1)
    const { config, log, chain, settings } = openPackedChain(args)
    const store = openStore(args.positionals[0] as string, config.objects)
    const wanted = { store, chain: chain.chain, chainId: chain.chainId, settings, signal: shutdownSignal() }
    // Before the database, which an address without a pack would start, or make, for nothing.
    const pack = await openPack(wanted)
    if (isUnprotected(pack)) log.warn(UNPROTECTED, { chain: chain.chain, layout: pack.format })
    const database = await openDatabase(config, log)
    try {
      const options = {
        ...{ ...wanted, databaseUrl: database.url, verify, connections, seedAbis: seedAbis(chain) },
        restart: args.values.restart === true,
        onRange: ({ from, to }: { from: number; to: number }, last: number) =>
          log.info('loaded', { chain: chain.chain, from, to, last }),
      }
      const summary = await fetchPack(options, pack)
      process.stdout.write(fetchText(chain.chain, summary))
    } finally {
      await database.close()
    }
    return 0
  },
}

const UNPROTECTED =
  'the manifest of a pack of this layout has no digest: damage to its numbers of rows, its times and its versions is not found'

/** One range in this many is sampled, besides the first and the last. */
const SAMPLE = 10

function isSampled(place: number, ranges: number): boolean {
  return place === 0 || place === ranges - 1 || randomInt(SAMPLE) === 0
}

/** @throws UsageError */
function verification({ values, positionals }: Arguments): Verification | null {
  const { verify = 'full', trust } = values
  if (verify === 'none') return null
  if (verify !== 'full' && verify !== 'sample') throw new UsageError(`--verify ${verify}`, 'give full, sample or none')
  if (typeof trust === 'string' && /^[0-9a-f]{64}(,[0-9a-f]{64})?$/.test(trust))
    return verify === 'full' ? { trust } : { trust, isSampled }
  const hint = `type \`npx headwater fetch ${positionals[0]} --chain ${values.chain ?? 'NAME'} --trust DIGEST\`. DIGEST is the SHA-256 of the packed finalizer policy that signs the first certificate in the pack, 64 hex digits: \`headwater logs check\` prints it for the logs of a node that you trust. If the pack has blocks before Savanna it is the id of its last block, from an explorer. For a pack of your own, give --verify none instead`
  throw new UsageError(
    trust === undefined
      ? '--trust is needed'
      : '--trust is neither 64 hex digits, lower case, nor two such values with a comma',
    hint,
  )
}

function fetchText(chain: string, { firstBlock, block, id, rows, report, claims, doubts }: FetchSummary): string {
  const { confirmedBy, equal, unverified, columns, foreignAbis } = report
  const lines = [`${chain}: blocks ${firstBlock} to ${block} ${id}, ${rows} rows of these blocks`]
  if (confirmedBy !== null) {
    lines.push(`Confirmed by ${confirmedBy}.`)
    if (Object.keys(equal).length > 0) lines.push('Computed again from actions and headers, and equal:')
    for (const [table, count] of Object.entries(equal)) lines.push(`  ${table} ${count}${exceptText(columns[table])}`)
    // Of a run of an earlier version, which kept no numbers.
    const others = Object.keys(columns).filter((table) => !(table in equal))
    if (others.length > 0) lines.push('Verified but for these columns:')
    for (const table of others.sort()) lines.push(`  ${table}${exceptText(columns[table])}`)
    lines.push('Not verified: no block commits to these rows, or they were not sampled. Their consistency was checked.')
  } else lines.push('Not verified:')
  for (const [table, count] of Object.entries(unverified)) {
    if (count === 0) continue
    const reason = UNCOMMITTED[table]
    lines.push(`  ${table} ${count}${confirmedBy !== null && reason !== undefined ? ` (${reason})` : ''}`)
  }
  const absent = Object.keys(unverified).filter((table) => unverified[table] === 0)
  if (absent.length > 0) lines.push(`Not verified: that there are no rows of ${absent.join(', ')}.`)
  if (foreignAbis.length > 0) lines.push(foreignText(foreignAbis))
  if (claims.length > 0) lines.push('Not verified: the publisher says that')
  for (const claim of claims) lines.push(`  ${claim}`)
  if (doubts.length > 0) lines.push('Doubtful, and not refused because it may be right:')
  for (const doubt of doubts) lines.push(`  ${doubt}`)
  return `${lines.join('\n')}\n`
}

/** Columns that were not verified. */
function exceptText(columns: readonly string[] | undefined): string {
  return columns ? ` (not verified: ${columns.join(', ')})` : ''
}

/** Accounts named in the report. */
const MAX_NAMED = 10

function foreignText(accounts: readonly string[]): string {
  const more = accounts.length > MAX_NAMED ? ` and ${accounts.length - MAX_NAMED} more` : ''
  const names = `${accounts.slice(0, MAX_NAMED).join(', ')}${more}`
  return `Decoded by ABIs that no block commits to, until an action sets another one: actions of ${names}.
All rows made of these actions depend on the publisher's ABIs. To check them, set \`abis\` in the configuration.`
}
