// Blocks of an EVM chain through JSON-RPC. Checks every header's hash and parent. Receipts confirm blocks whose bloom
// filter allows an event although the endpoint sent none: no single answer is trusted.
import { setTimeout as delay } from 'node:timers/promises'
import { RetryableError, UserError } from '../../../core/errors.ts'
import { bloomBits } from '../../../core/evm/bloom.ts'
import { fromPrefixedHex } from '../../../core/evm/bytes.ts'
import { Backoff } from '../../../net/backoff.ts'
import { Endpoint } from '../../../net/rpc/endpoint.ts'
import { TooMuchError } from '../../../net/rpc/errors.ts'
import { EndpointPool } from '../../../net/rpc/pool.ts'
import type { BlockSource, StartPosition } from '../source.ts'
import { SourceStats } from '../stats.ts'
import { deploymentBlock } from './deployment.ts'
import { type EvmBlock, Follower, type Step } from './follower.ts'
import { EvmReader, type ReaderOptions } from './reader.ts'
import { type EvmSettings, type EvmSourceOptions, evmSettings } from './settings.ts'
import { Witness } from './witness.ts'

/** Size limit of an answer: ten times the receipts of a full block. */
const MAX_BYTES = 128 * 2 ** 20

export class EvmSource implements BlockSource<EvmBlock> {
  readonly name = 'evm'
  readonly stats: SourceStats
  readonly #settings: EvmSettings
  readonly #reading: ReaderOptions
  readonly #pool: EndpointPool
  /** Endpoints whose chain id was checked. */
  readonly #known = new Set<Endpoint>()

  constructor(options: EvmSourceOptions) {
    const settings = evmSettings(options)
    this.#settings = settings
    this.stats = new SourceStats(options.onAnomaly)
    this.#reading = {
      headerHash: settings.headerHash,
      watched: settings.contracts,
      addresses: settings.contracts.map((address) => bloomBits(fromPrefixedHex(address, 20))),
      topics: settings.topics.map((topic) => bloomBits(fromPrefixedHex(topic, 32))),
    }
    const endpoints = settings.urls.map((url) => new Endpoint({ ...settings, url, maxBytes: MAX_BYTES }))
    this.#pool = new EndpointPool(endpoints, {
      restMs: settings.restMs,
      onSwitch: () => this.stats.reconnects++,
      onFailure: ({ code, message }) => this.stats.anomaly(code, message),
    })
  }

  /** See BlockSource. Changes endpoints after failures, and retries while all of them fail. */
  async *blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<EvmBlock> {
    const follower = new Follower(this.#settings, start, this.stats)
    const backoff = new Backoff(250, 10_000, 1)
    const last = start.to ?? Number.POSITIVE_INFINITY
    while (follower.next <= last && !signal.aborted) {
      const step = await this.#step(follower, backoff, signal)
      if (step === null) continue
      follower.accept(step)
      this.stats.frames += step.blocks.length
      for (const block of step.blocks) {
        if (signal.aborted) return
        yield block
      }
      if (step.blocks.length > 0) continue
      await this.stats.waiting(delay(this.#settings.pollMs, undefined, { signal }).catch(() => {}))
    }
  }

  /**
   * The block in which the first of the contracts was deployed.
   *
   * @throws UserError EVM_START_BLOCK when no endpoint has the old state, EVM_NO_CONTRACT, OTHER_CHAIN; RpcError while
   *   none answers
   */
  async deploymentBlock(signal: AbortSignal): Promise<number> {
    const { chain, contracts } = this.#settings
    try {
      return await this.#pool.use(async (endpoint) => {
        const reader = new EvmReader(endpoint, this.#reading, signal)
        await this.#checkChain(endpoint, reader)
        return deploymentBlock(endpoint, reader, chain, contracts, signal)
      }, signal)
    } catch (error) {
      if (!(error instanceof RetryableError) || signal.aborted || isSilence(error)) throw error
      throw new UserError(
        'EVM_START_BLOCK',
        `${chain}: no endpoint can find when the contracts were deployed: ${error.message}`,
        {
          hint: `set source.startBlock of ${chain}, or add a node with old state`,
          place: { chain },
          cause: error,
        },
      )
    }
  }

  /** Null after an error, to be retried. */
  async #step(follower: Follower, backoff: Backoff, signal: AbortSignal): Promise<Step | null> {
    try {
      const reading = this.#pool.use(async (endpoint) => {
        const reader = new EvmReader(endpoint, this.#reading, signal)
        await this.#checkChain(endpoint, reader)
        return follower.step(endpoint, reader, this.#witness(endpoint, signal))
      }, signal)
      const step = await this.stats.waiting(reading)
      backoff.succeeded()
      return step
    } catch (error) {
      if (signal.aborted) return null
      if (error instanceof TooMuchError && follower.shrink()) return null
      if (!(error instanceof RetryableError)) throw error
      if (error instanceof TooMuchError) this.stats.anomaly(error.code, error.message)
      await backoff.pause(signal)
      return null
    }
  }

  /** Another endpoint, to confirm logs; undefined when there is none. */
  #witness(endpoint: Endpoint, signal: AbortSignal): Witness | undefined {
    const other = this.#pool.other(endpoint)
    if (!other) return undefined
    return new Witness(other, new EvmReader(other, this.#reading, signal), this.#settings.chainId, this.stats)
  }

  async #checkChain(endpoint: Endpoint, reader: EvmReader): Promise<void> {
    if (this.#known.has(endpoint)) return
    const { chain, chainId } = this.#settings
    const id = await reader.chainId()
    if (id !== chainId)
      throw new UserError('OTHER_CHAIN', `${endpoint.name} serves chain ${id}, ${chain} is ${chainId}`, {
        hint: `correct the address or the chain id of ${chain}`,
        place: { chain },
      })
    this.#known.add(endpoint)
  }
}

/** Whether an endpoint gave no answer, so that its data are unknown. */
function isSilence({ code, cause }: RetryableError): boolean {
  return code === 'EVM_RATE_LIMIT' || (code === 'EVM_RPC' && cause !== undefined)
}
