// A second endpoint that confirms the logs of final blocks. If it sends the same logs, the headers between need not be
// read. If not, neither is trusted: headers and receipts decide.

import type { Endpoint } from '../../../net/rpc/endpoint.ts'
import { RpcError } from '../../../net/rpc/errors.ts'
import type { SourceStats } from '../stats.ts'
import type { EvmLog, EvmReader } from './reader.ts'

/** Logs that an endpoint sent for a range of final blocks. */
export interface Account {
  from: number
  to: number
  logs: readonly EvmLog[]
}

export class Witness {
  readonly #endpoint: Endpoint
  readonly #reader: EvmReader
  readonly #chainId: number
  readonly #stats: SourceStats

  constructor(endpoint: Endpoint, reader: EvmReader, chainId: number, stats: SourceStats) {
    this.#endpoint = endpoint
    this.#reader = reader
    this.#chainId = chainId
    this.#stats = stats
  }

  /** Whether it has the same logs. A difference is counted as EVM_WITNESS, a failure as EVM_UNCONFIRMED. */
  async agrees({ from, to, logs }: Account): Promise<boolean> {
    try {
      const difference = await this.#difference(from, to, logs)
      if (difference === null) return true
      const failure = this.#endpoint.error('EVM_WITNESS', `${difference}: every header from ${from} to ${to} is read`)
      this.#stats.anomaly(failure.code, failure.message)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      this.#stats.anomaly('EVM_UNCONFIRMED', `${error.message}: every header from ${from} to ${to} is read`)
    }
    return false
  }

  async #difference(from: number, to: number, logs: readonly EvmLog[]): Promise<string | null> {
    const chainId = await this.#reader.chainId()
    if (chainId !== this.#chainId) return `it serves chain ${chainId}`
    const { final } = await this.#reader.heads()
    if (final.num < to) return `its final block is ${final.num}`
    const given = new Map(logs.map(placed))
    const own = new Map((await this.#reader.logsOf(from, to)).map(placed))
    const other = [...own].find(([place, text]) => given.get(place) !== text)
    if (other) return `it has another log at ${other[0]}`
    const missing = [...given.keys()].find((place) => !own.has(place))
    return missing === undefined ? null : `it has no log at ${missing}`
  }
}

/** Position and content of a log, to compare. */
function placed({ blockNum, blockId, logIndex, address, topics, data, trxId }: EvmLog): [string, string] {
  const text = [blockId, address, data.toLowerCase(), trxId, ...topics.map((topic) => topic.toLowerCase())].join()
  return [`block ${blockNum}, index ${logIndex}`, text]
}
