// Checks the nodes of a chain: reachable, of this chain, with the needed history, and not lagging.
import type { ChainConfig } from '../../config/schema.ts'
import { NodeApi } from '../../indexer/bootstrap/node-api.ts'
import { usableState } from '../../indexer/source/ship/first-state.ts'
import { probeNode } from '../../indexer/source/ship/probe.ts'
import { checkContracts } from './contracts.ts'
import { type Finding, fail, failure, ok, warn } from './finding.ts'
import { checkLogFolders } from './logs.ts'
import { checkSnapshot } from './snapshot.ts'

/** Age above which a node's head lags, seconds. */
const OLD_HEAD = 30

/** @param indexed  last indexed block of the chain, undefined when nothing is indexed */
export async function checkNode(config: ChainConfig, indexed?: number): Promise<Finding[]> {
  const { snapshot } = config.source
  if (snapshot === undefined) return checkSource(config, indexed)
  const { finding, block } = await checkSnapshot(config, snapshot, indexed)
  const source = block === null ? config.source : { ...config.source, startBlock: block + 1 }
  return [finding, ...(await checkSource({ ...config, source }, indexed))]
}

async function checkSource(config: ChainConfig, indexed?: number): Promise<Finding[]> {
  const { chain, source } = config
  if (source.kind === 'replay') return [ok(`${chain} source`, `recording ${source.file ?? '(given to replay)'}`)]
  const found: Finding[] = source.kind === 'ship' && source.logs.length > 0 ? [await checkLogFolders(config)] : []
  if (source.urls.length === 0) {
    const remedy = `set source.urls of ${chain}`
    if (found.length === 0) return [fail(`${chain} source`, 'no node is configured', remedy)]
    return [...found, warn(`${chain} source`, 'no node is configured: indexing ends with the logs', remedy)]
  }
  if (source.kind === 'hyperion')
    found.push(
      warn(
        `${chain} source`,
        'Hyperion: market data and no proofs; continuity by block number and irreversibility only',
        'use a state-history node where proofs are wanted',
      ),
    )
  else for (const url of source.urls) found.push(...(await checkShip(url, config, indexed)))
  if (source.http === undefined)
    found.push(
      warn(`${chain} node API`, 'none is configured, contracts are not checked', `set source.http of ${chain}`),
    )
  else found.push(...(await checkApi(source.http, config)))
  return found
}

async function checkShip(url: string, config: ChainConfig, indexed: number | undefined): Promise<Finding[]> {
  const { chain, chainId, finality } = config
  const subject = `${chain} node ${url}`
  try {
    const { status } = await probeNode(url, { chain, connectMs: 5000 })
    const { head, lib, traces, deltas } = status
    const found = [ok(subject, `head ${head.num}, irreversible ${lib.num}`)]
    if (status.chainId === null)
      found.push(warn(subject, 'does not report its chain id', 'make sure that it is the right chain'))
    else if (chainId !== undefined && status.chainId !== chainId)
      found.push(fail(subject, `serves chain ${status.chainId}`, `correct source.urls or chainId of ${chain}`))
    const { startBlock, snapshot } = config.source
    const missing = missingBlocks(subject, Math.max(traces.begin, deltas.begin), startBlock, indexed)
    if (traces.end === 0) found.push(fail(subject, 'has no traces', 'switch on trace-history'))
    else if (!indexed && snapshot === undefined && usableState(status, startBlock) !== null)
      found.push(
        ok(subject, `begins with the state of block ${deltas.begin}: indexing starts at block ${deltas.begin + 1}`),
      )
    else if (missing !== null) found.push(missing)
    if (deltas.end === 0) found.push(fail(subject, 'has no table deltas', 'switch on chain-state-history'))
    if (finality && (status.finality === null || status.finality.end === 0))
      found.push(warn(subject, 'has no finality data', 'proofs need finality-data-history'))
    return found
  } catch (error) {
    return [failure(subject, error, 'start the node, or correct the address')]
  }
}

/** @param begin  first block that the node keeps */
function missingBlocks(subject: string, begin: number, startBlock: number, indexed = 0): Finding | null {
  const kept = `has blocks from ${begin} on`
  if (indexed > 0) {
    if (begin <= indexed + 1) return null
    const remedy = `add a node that has block ${indexed + 1}, or index into an empty database from a later block`
    return fail(subject, `${kept}, block ${indexed} is the last one indexed`, remedy)
  }
  if (begin <= startBlock) return null
  const remedy = 'an empty database needs a later source.startBlock or a node with a longer history'
  return warn(subject, `${kept}, the start block is ${startBlock}`, remedy)
}

async function checkApi(url: string, config: ChainConfig): Promise<Finding[]> {
  const { chain, chainId } = config
  const subject = `${chain} node API ${url}`
  try {
    const api = new NodeApi({ url, timeoutMs: 5000, attempts: 1 })
    const info = await api.info()
    if (chainId !== undefined && info.chainId !== chainId)
      return [fail(subject, `serves chain ${info.chainId}`, `correct source.http or chainId of ${chain}`)]
    const { time } = await api.block(info.head.num)
    const age = Math.round((Date.now() - time) / 1000)
    const head = `head ${info.head.num}, ${age} s old`
    const clock = age < -5 ? 'set the clock of this machine' : 'wait until the node has caught up, or use another'
    const found = [Math.abs(age) > OLD_HEAD || age < -5 ? warn(subject, head, clock) : ok(subject, head)]
    return [...found, ...(await checkContracts(api, config))]
  } catch (error) {
    return [failure(subject, error, 'start the node, or correct source.http')]
  }
}
