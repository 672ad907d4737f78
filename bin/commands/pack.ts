// `headwater pack`: writes a chain's final history as immutable files that others can verify.
import type { ChainConfig } from '../../config/schema.ts'
import { openStore } from '../../net/objects/open.ts'
import { type PackSummary, packChain } from '../../packs/write/pack.ts'
import type { Command } from '../cli/command.ts'
import { UsageError, wholeNumber } from '../cli/parse.ts'
import { shutdownSignal } from '../cli/shutdown.ts'
import { checkServer, startExisting } from '../database.ts'
import { openPackedChain, PACK_OPTIONS, programVersion } from '../packed-chain.ts'
import { createSource } from '../source.ts'

export const command: Command = {
  name: 'pack',
  options: {
    ...PACK_OPTIONS,
    out: { type: 'string', short: 'o', value: 'ADDRESS', help: 'a folder, or s3://BUCKET/PREFIX' },
    node: { type: 'string', value: 'URL', help: 'read headers and actions from this state-history node' },
    recording: { type: 'string', value: 'FILE', help: 'read headers and actions from this recording' },
    'rows-only': { type: 'boolean', help: 'write no headers and actions: such a pack cannot be verified' },
    'blocks-per-file': { type: 'string', value: 'N', help: 'blocks of a file; default: 10000' },
  },
  help: `Goes on after the last block of the pack that is there; files never change. Headers and actions are read from the
chain's source, which the configuration names. The chain may be indexed meanwhile.`,
  async run(args) {
    const out = args.values.out as string | undefined
    if (out === undefined) throw new UsageError('--out is needed', 'see `headwater pack --help`')
    const blocksPerFile = wholeNumber(args, 'blocks-per-file', 1)
    const { config, log, chain, settings } = openPackedChain(args, sourceOf(args.values))
    const signal = shutdownSignal()
    const rowsOnly = args.values['rows-only'] === true
    const source = rowsOnly
      ? null
      : createSource(chain, (kind, detail) => log.warn(detail, { chain: chain.chain, kind }))
    const database = await startExisting(config, log)
    try {
      await checkServer(database.url)
      const store = openStore(out, config.objects)
      const summary = await packChain({
        ...{ chain: chain.chain, databaseUrl: database.url, store, settings, source, signal, blocksPerFile },
        program: programVersion(),
        onRange: (from, to) => log.info('packed', { chain: chain.chain, from, to }),
      })
      const profile = args.values.profile ?? args.values.chain
      const fetching = { address: store.address, chain: chain.chain, profile: profile as string }
      process.stdout.write(text(fetching, summary))
    } finally {
      await database.close()
    }
    return 0
  },
}

/** The source by options. */
function sourceOf({ node, recording }: Record<string, unknown>): Partial<ChainConfig> {
  if (node !== undefined && recording !== undefined) throw new UsageError('--node and --recording', 'give one of them')
  if (typeof recording === 'string') return { source: { kind: 'replay', file: recording } as never }
  if (typeof node === 'string') return { source: { kind: 'ship', urls: [node] } as never }
  return {}
}

/** Options of the command that fetches the pack. */
interface Fetching {
  address: string
  chain: string
  profile: string
}

function text(fetching: Fetching, summary: PackSummary): string {
  const { written, ranges, block, id } = summary
  const { address, chain } = fetching
  const lines = [`${address}: ${chain} up to block ${block} ${id}, ${ranges} ranges, ${written} of them new`]
  return `${[...lines, ...trustText(fetching, summary)].join('\n')}\n`
}

/** What a reader must trust. */
function trustText(fetching: Fetching, { block, id, proved, policy, hasBlocks, hasLegacy }: PackSummary): string[] {
  const { address, chain, profile } = fetching
  const configured = profile === chain ? '' : ` --profile ${profile}`
  const fetchLine = (trust: string) => `  npx headwater fetch ${address} --chain ${chain}${configured} ${trust}`
  if (!hasBlocks) return ['The pack has rows and no actions, so it cannot be verified:', fetchLine('--verify none')]
  if (proved === null) return [`Verified with the id of the last block, ${block}:`, fetchLine(`--trust ${id}`)]
  if (!proved) {
    return [
      'The source ended before a certificate makes the last block final, so the pack can be verified by the id of a later',
      'block only. Run this again when the source has more blocks.',
    ]
  }
  if (!policy)
    return [
      'No start of finality precedes its blocks under Savanna, so the pack cannot be verified:',
      fetchLine('--verify none'),
    ]
  const { digest, generation, replaces } = policy
  const lines = hasLegacy
    ? [
        `Verified with the id of the last block, ${block}, and finalizer policy ${generation}, which signs the first certificate.`,
        'The id confirms the blocks before Savanna:',
        fetchLine(`--trust ${digest},${id}`),
      ]
    : [
        `Verified with the digest of finalizer policy ${generation}, which signs the first certificate:`,
        fetchLine(`--trust ${digest}`),
        `With the id of the last block, ${block}, also ids and producers of blocks are verified:`,
        fetchLine(`--trust ${digest},${id}`),
      ]
  if (replaces) {
    const { digest: before, generation: old } = replaces
    lines.push(
      `Finalizer policy ${old} of the start, ${before}, was replaced before it signed one: it verifies nothing here.`,
    )
  }
  return lines
}
