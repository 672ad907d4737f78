// The light-client part of a beacon node's REST API. Source: beacon-APIs, apis/beacon/light_client.
import { DecodeError } from '../../../core/errors.ts'
import { committeeFromJson, roots, updateFromJson } from '../../../core/evm/beacon/json.ts'
import type { BeaconFork, BeaconNetwork } from '../../../core/evm/beacon/network.ts'
import type { LightClientUpdate, SyncCommittee } from '../../../core/evm/beacon/update.ts'
import { requestJson, withoutTrailingSlash } from '../../../net/http.ts'
import { RpcError } from '../../../net/rpc/errors.ts'

export interface BeaconOptions {
  chain: string
  url: string
  /** The node's network; default: as the node reports it. */
  network?: BeaconNetwork
  timeoutMs?: number
}

/** Requests of proofs to a beacon node. */
export interface BeaconSource {
  network(): Promise<BeaconNetwork>
  /** Best updates of consecutive periods, each with the next committee; fewer when the node has no more. */
  updates(firstPeriod: number, count: number): Promise<LightClientUpdate[]>
  /** The newest finalized block. */
  finality(): Promise<LightClientUpdate>
  /**
   * The committee in the state of a block, and its Merkle branch to the state root. @param root  block root, 64 hex
   * digits
   */
  bootstrap(root: string): Promise<{ committee: SyncCommittee; branch: string[] }>
  error(code: string, what: string, cause?: unknown): RpcError
}

/** Maximum updates in one answer, by the API's specification. */
const MAX_UPDATES = 128
const TIMEOUT_MS = 20_000
/** Path of the network's settings. */
const SPEC = '/eth/v1/config/spec'
/** Size limit of an answer: 128 updates of 512 members take 7 MB as JSON. */
const MAX_BYTES = 64 << 20

export class BeaconNode implements BeaconSource {
  readonly #options: BeaconOptions
  #network: Promise<BeaconNetwork> | undefined

  constructor(options: BeaconOptions) {
    this.#options = options
  }

  network(): Promise<BeaconNetwork> {
    const { network } = this.#options
    if (network) return Promise.resolve(network)
    this.#network ??= this.#readNetwork().catch((error) => {
      this.#network = undefined
      throw error
    })
    return this.#network
  }

  async updates(firstPeriod: number, count: number): Promise<LightClientUpdate[]> {
    const found: LightClientUpdate[] = []
    while (found.length < count) {
      const asked = Math.min(MAX_UPDATES, count - found.length)
      const query = `start_period=${firstPeriod + found.length}&count=${asked}`
      const answer = await this.#get(`/eth/v1/beacon/light_client/updates?${query}`)
      const part = this.#read(() => (answer as { data: unknown }[]).map(({ data }) => updateFromJson(data)))
      found.push(...part.slice(0, asked))
      if (part.length < asked) break
    }
    return found
  }

  async finality(): Promise<LightClientUpdate> {
    const answer = await this.#get('/eth/v1/beacon/light_client/finality_update')
    return this.#read(() => updateFromJson((answer as { data: unknown }).data))
  }

  async bootstrap(root: string): Promise<{ committee: SyncCommittee; branch: string[] }> {
    const answer = await this.#get(`/eth/v1/beacon/light_client/bootstrap/0x${root}`)
    return this.#read(() => {
      const { data } = answer as { data: Settings }
      const branch = roots(data, 'current_sync_committee_branch')
      return { committee: committeeFromJson(data.current_sync_committee), branch }
    })
  }

  /** Id of the execution chain; null when the node does not report it. */
  async executionChain(): Promise<number | null> {
    const { data } = (await this.#get(SPEC)) as { data: Settings }
    return this.#read(() => (data.DEPOSIT_CHAIN_ID === undefined ? null : number(data, 'DEPOSIT_CHAIN_ID')))
  }

  error(code: string, what: string, cause?: unknown): RpcError {
    const { chain, url } = this.#options
    return new RpcError(code, chain, url, what, { cause })
  }

  async #readNetwork(): Promise<BeaconNetwork> {
    const [genesis, spec] = await Promise.all([this.#get('/eth/v1/beacon/genesis'), this.#get(SPEC)])
    return this.#read(() => networkOf((genesis as { data: Settings }).data, (spec as { data: Settings }).data))
  }

  async #get(path: string): Promise<unknown> {
    const { url, timeoutMs = TIMEOUT_MS } = this.#options
    try {
      return await requestJson(`${withoutTrailingSlash(url)}${path}`, { timeoutMs, maxBytes: MAX_BYTES })
    } catch (cause) {
      throw this.error('BEACON_API', `${path}: ${(cause as Error).message}`, cause)
    }
  }

  #read<T>(work: () => T): T {
    try {
      return work()
    } catch (cause) {
      throw this.error('BEACON_API', `an answer cannot be read: ${(cause as Error).message}`, cause)
    }
  }
}

type Settings = Readonly<Record<string, unknown>>

/** Forks since light clients exist, in order. */
const FORKS = ['ALTAIR', 'BELLATRIX', 'CAPELLA', 'DENEB', 'ELECTRA', 'FULU'] as const
/** An epoch that is never reached. Nodes report 2^64 - 1 for an unscheduled fork, which no number can hold exactly. */
const NEVER = Number.MAX_SAFE_INTEGER

/** @throws DecodeError BEACON_JSON */
function networkOf(genesis: Settings, spec: Settings): BeaconNetwork {
  const slotsPerEpoch = number(spec, 'SLOTS_PER_EPOCH')
  const epochOf = (name: string) => Math.min(NEVER, Number(spec[`${name}_FORK_EPOCH`] ?? NEVER))
  const forks: BeaconFork[] = [{ epoch: 0, version: hex(genesis, 'genesis_fork_version', 4) }]
  for (const name of FORKS) {
    const epoch = epochOf(name)
    if (epoch < NEVER) forks.push({ epoch, version: hex(spec, `${name}_FORK_VERSION`, 4) })
  }
  return {
    genesisTime: number(genesis, 'genesis_time'),
    genesisValidatorsRoot: hex(genesis, 'genesis_validators_root', 32),
    secondsPerSlot: number(spec, 'SECONDS_PER_SLOT'),
    slotsPerEpoch,
    slotsPerPeriod: slotsPerEpoch * number(spec, 'EPOCHS_PER_SYNC_COMMITTEE_PERIOD'),
    committeeSize: number(spec, 'SYNC_COMMITTEE_SIZE'),
    forks: forks.sort((a, b) => a.epoch - b.epoch),
    electraEpoch: epochOf('ELECTRA'),
  }
}

function number(settings: Settings, name: string): number {
  const value = Number(settings[name])
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new DecodeError('BEACON_JSON', `${name} is no number above 0`)
}

function hex(settings: Settings, name: string, length: number): string {
  const value = settings[name]
  if (typeof value === 'string' && new RegExp(`^0x[0-9a-fA-F]{${2 * length}}$`).test(value))
    return value.slice(2).toLowerCase()
  throw new DecodeError('BEACON_JSON', `${name} is not ${length} bytes`)
}
