// One connection to a Hyperion server, through its own client. After a reconnect, that client requests wrong blocks
// when there are several requests, so a lost connection is never used again.
import type {
  EventData,
  ForkData,
  HyperionStreamClient,
  IncomingData,
  LIBData,
  StreamClientEvents,
} from '@eosrio/hyperion-stream-client'
import { RetryableError } from '../../../core/errors.ts'
import type { Json } from '../../../net/chain-api.ts'
import { requestJson } from '../../../net/http.ts'
import { within } from '../deadline.ts'
import type { BlockPosition } from '../source.ts'
import { timeOf } from './content.ts'
import type { HyperionSettings } from './options.ts'

const MAX_INFO_BYTES = 64 << 10

type Library = typeof import('@eosrio/hyperion-stream-client')

export interface HyperionListener {
  data(message: IncomingData): void
  fork(fork: ForkData): void
  irreversible(lib: BlockPosition): void
}

/** The state of the server's node. */
export interface NodeInfo {
  chainId: string
  head: BlockPosition
  /** Unix milliseconds. */
  headTime: number
  lib: BlockPosition
}

export class HyperionSession {
  readonly #settings: HyperionSettings
  readonly #client: HyperionStreamClient
  readonly #events: typeof StreamClientEvents
  #lost = false

  private constructor(settings: HyperionSettings, listener: HyperionListener, library: Library) {
    this.#settings = settings
    this.#events = library.StreamClientEvents
    this.#client = new library.HyperionStreamClient({ endpoint: settings.endpoint, chainApi: settings.chainApi })
    this.#client.setAsyncDataHandler(async (message: IncomingData) => {
      if (!this.#lost) listener.data(message)
    })
    this.#client.on(this.#events.FORK, (fork: EventData) => {
      if (!this.#lost) listener.fork(fork as ForkData)
    })
    this.#client.on(this.#events.LIBUPDATE, (event: EventData) => {
      const { block_num: num, block_id: id } = event as LIBData
      if (!this.#lost) listener.irreversible({ num, id })
    })
  }

  /**
   * Connects and requests all actions and rows from block `from` on.
   *
   * @throws RetryableError HYPERION_CONNECTION
   */
  static async open(settings: HyperionSettings, from: number, listener: HyperionListener): Promise<HyperionSession> {
    // Imported lazily: most chains use state history and need not load this library.
    const library = await import('@eosrio/hyperion-stream-client')
    const session = new HyperionSession(settings, listener, library)
    const late = (what: string) => () => connectionError(settings, what)
    try {
      await within(settings.connectMs, session.#client.connect(), late('no connection'))
      session.#client.on(session.#events.CONNECT, () => {
        session.#lost = true
      })
      await within(settings.connectMs, session.#request(from), late('no answer to the requests'))
      return session
    } catch (error) {
      session.close()
      throw error
    }
  }

  /** False once the connection was lost, even if the client reconnected. */
  get alive(): boolean {
    return this.#client.online && !this.#lost
  }

  close(): void {
    this.#lost = true
    this.#client.disconnect()
  }

  /**
   * Sends all requests before any answer arrives: the client changes the start of requests made after the first data.
   */
  async #request(from: number): Promise<void> {
    const range = { start_from: from, read_until: 0 }
    const actions = this.#settings.actions.map((contract) =>
      this.#client.streamActions({ contract, account: '', action: '*', filters: [], ...range }),
    )
    const rows = this.#settings.tables.map((code) =>
      this.#client.streamDeltas({ code, table: '*', scope: '', payer: '', ...range }),
    )
    await Promise.all([...actions, ...rows]).catch((answer: { error?: string; message?: string }) => {
      throw connectionError(
        this.#settings,
        `a request is refused: ${answer.error ?? answer.message ?? JSON.stringify(answer)}`,
      )
    })
  }
}

/** @throws RetryableError HYPERION_CONNECTION */
export async function getInfo(settings: HyperionSettings): Promise<NodeInfo> {
  const url = `${settings.chainApi}/v1/chain/get_info`
  try {
    const info = (await requestJson(url, { timeoutMs: settings.connectMs, maxBytes: MAX_INFO_BYTES })) as Json
    const headTime = timeOf(info.head_block_time)
    if (typeof info.chain_id !== 'string' || headTime === null) throw new Error('the answer is no get_info')
    return {
      chainId: info.chain_id,
      head: { num: Number(info.head_block_num), id: String(info.head_block_id) },
      headTime,
      lib: { num: Number(info.last_irreversible_block_num), id: String(info.last_irreversible_block_id) },
    }
  } catch (error) {
    throw connectionError(settings, `${url}: ${(error as Error).message}`)
  }
}

export function connectionError(settings: HyperionSettings, what: string): RetryableError {
  return new RetryableError('HYPERION_CONNECTION', `${settings.chain}: ${settings.endpoint}: ${what}`)
}
