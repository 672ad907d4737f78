// Checks the endpoints of an EVM chain: reachable, of this chain, with a final block and the configured contracts; and its
// beacon node.
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import { smallQuantity } from '../../core/evm/bytes.ts'
import { withoutSecrets } from '../../net/http.ts'
import { Endpoint } from '../../net/rpc/endpoint.ts'
import { BeaconNode } from '../../proofs/deposit/evm/beacon.ts'
import { evmContracts } from '../index-evm.ts'
import { type Finding, fail, failure, ok, warn } from './finding.ts'
import { checkEvmSettings } from './settings.ts'

/** Age above which a head is old, seconds; the same for all chains. */
const OLD_HEAD = 120
/** Age above which the newest finalized block of a beacon chain is old, seconds. Usual are two to three epochs: 13 to 19 minutes. */
const OLD_FINAL = 3600
/** Age below zero from which one of the clocks is wrong, seconds. */
const CLOCK_ERROR = 60
const MAX_BYTES = 16 * 2 ** 20

interface Block {
  number: string
  timestamp: string
}

export async function checkEvm(config: EvmChainConfig): Promise<Finding[]> {
  const { source } = config
  const addresses = Object.values(evmContracts(config)).flat()
  const found = checkEvmSettings(config)
  for (const url of source.urls) found.push(...(await checkEndpoint(url, addresses, config)))
  return [...found, ...(await checkBeacon(config))]
}

/** Proofs of deposits begin with the newest finalized block of the beacon node. */
async function checkBeacon({ chain, chainId, source: { beacon: url } }: EvmChainConfig): Promise<Finding[]> {
  if (url === undefined) return []
  const subject = `${chain} beacon node ${withoutSecrets(url)}`
  try {
    const node = new BeaconNode({ chain, url, timeoutMs: 5000 })
    const served = await node.executionChain()
    if (served !== null && served !== chainId)
      return [fail(subject, `serves chain ${served}`, `correct source.beacon of ${chain}`)]
    const { genesisTime, secondsPerSlot } = await node.network()
    const { slot } = (await node.finality()).finalized_header.beacon
    const age = Math.round(Date.now() / 1000 - genesisTime - Number(slot) * secondsPerSlot)
    const text = `finalized slot ${slot}, ${age} s old`
    if (age < -CLOCK_ERROR) return [warn(subject, text, 'set the clock of this machine, or that of the node')]
    return [age > OLD_FINAL ? warn(subject, text, 'wait until it has caught up, or use another') : ok(subject, text)]
  } catch (error) {
    return [failure(subject, error, 'correct source.beacon: a node that serves the light client API')]
  }
}

async function checkEndpoint(url: string, addresses: readonly string[], config: EvmChainConfig): Promise<Finding[]> {
  const { chain, chainId, source } = config
  const options = { timeoutMs: 5000, requestsPerSecond: source.requestsPerSecond, batch: source.batch }
  const endpoint = new Endpoint({ chain, url, maxBytes: MAX_BYTES, ...options })
  const subject = `${chain} endpoint ${endpoint.name}`
  const { signal } = new AbortController()
  try {
    const id = smallQuantity(await endpoint.call<string>('eth_chainId', [], signal))
    if (id !== chainId) return [fail(subject, `serves chain ${id}`, `correct source.urls or chainId of ${chain}`)]
    const [head, final] = await Promise.all(
      ['latest', 'finalized'].map((tag) => endpoint.call<Block | null>('eth_getBlockByNumber', [tag, false], signal)),
    )
    if (!head) return [fail(subject, 'has no block yet', 'wait until it has begun')]
    if (!final) return [fail(subject, 'knows no final block', 'use a node that follows finality')]
    const age = Math.round(Date.now() / 1000 - smallQuantity(head.timestamp))
    const text = `head ${smallQuantity(head.number)}, ${age} s old, final ${smallQuantity(final.number)}`
    const found = [
      Math.abs(age) > OLD_HEAD ? warn(subject, text, 'wait until it has caught up, or use another') : ok(subject, text),
    ]
    const codes = await endpoint.batch<string>(
      addresses.map((address) => ({ method: 'eth_getCode', params: [address, 'finalized'] })),
      signal,
    )
    for (const [index, code] of codes.entries()) {
      const at = `${chain} contract ${addresses[index]}`
      if (code === '0x') found.push(fail(at, 'no contract is at this address', `correct the contracts of ${chain}`))
      else found.push(ok(at, `${(code.length - 2) / 2} bytes of code`))
    }
    return found
  } catch (error) {
    return [failure(subject, error, 'start the node, or correct the address')]
  }
}
