// Clients of the stream of facts that break off and come back, and what they keep.
import { get as httpGet } from 'node:http'
import type { Pool } from 'pg'
import { WebSocket } from 'ws'
import { DATASETS } from '../../../../api/explore/facts.ts'
import type { Random } from '../../../support/random.ts'

export const PATH = '/api/v3/stream/facts'

// biome-ignore lint/suspicious/noExplicitAny: messages have every shape.
export type Message = any

/** Opens one connection and hands on its messages, until `onMessage` says that it is enough, or the server ends it. */
export type Open = (query: string, onMessage: (message: Message) => boolean) => Promise<void>

export const bySocket =
  (port: number): Open =>
  (query, onMessage) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${PATH}?${query}`)
      socket.on('message', (data) => {
        if (!onMessage(JSON.parse(String(data)))) socket.terminate()
      })
      socket.on('close', () => resolve())
      socket.on('error', reject)
    })

export const byEvents =
  (port: number): Open =>
  (query, onMessage) =>
    new Promise((resolve, reject) => {
      const [, cursor] = /cursor=([^&]+)/.exec(query) ?? []
      // The cursor of a browser that connects again.
      const headers = cursor === undefined ? {} : { 'last-event-id': cursor }
      const request = httpGet(
        `http://127.0.0.1:${port}${PATH}?${query.replace(/&?cursor=[^&]+/, '')}`,
        { headers },
        (answer) => {
          let text = ''
          answer.on('data', (part) => {
            text += part
            for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
              const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
              text = text.slice(end + 2)
              if (data !== undefined && !onMessage(JSON.parse(data))) return void request.destroy()
            }
          })
          answer.on('close', () => resolve())
        },
      )
      request.on('error', (error) => (request.destroyed ? resolve() : reject(error)))
    })

/** What a client keeps: the facts of each block that it has, and its cursor. */
export class Copy {
  /** Called with each message of a block. */
  onBlock: (message: Message) => void = () => {}
  readonly blocks = new Map<number, { id: string; facts: Message[] }>()
  cursor = ''
  lib = 0
  undone = 0
  breaks = 0

  apply(message: Message): void {
    if (message.type === 'undo') {
      for (const num of this.blocks.keys()) if (num > message.block) this.blocks.delete(num)
      this.undone += message.undone.length
    } else if (message.type === 'block') {
      if (this.blocks.has(message.block)) throw new Error(`block ${message.block} came twice`)
      this.blocks.set(message.block, message)
      this.onBlock(message)
    } else if (message.type === 'error') throw new Error(message.message)
    this.cursor = message.cursor
    this.lib = message.lib
  }

  keys(): string[] {
    return [...this.blocks.values()]
      .flatMap(({ facts }) => facts.map((one) => `${one.block} ${one.sequence} ${one.dataset}`))
      .sort()
  }
}

/** Keys of all facts with a condition, as the tables have them. */
export async function stored(
  pool: Pool,
  condition: (dataset: (typeof DATASETS)[number]) => string | null,
): Promise<string[]> {
  const parts = DATASETS.flatMap((dataset) => {
    const found = condition(dataset)
    return found === null
      ? []
      : [
          `select block_num || ' ' || global_seq || ' ${dataset.name}' as key from ledger.${dataset.name} where ${found}`,
        ]
  })
  const { rows } = await pool.query(parts.join(' union all '))
  return rows.map(({ key }) => key).sort()
}

/** Follows the stream, breaking off after a few messages, until `isDone`. */
export async function follow(
  open: Open,
  query: string,
  copy: Copy,
  random: Random,
  isDone: () => boolean,
): Promise<void> {
  while (!isDone()) {
    let left = random.integer(0, 8)
    copy.breaks++
    await open(`${query}${copy.cursor === '' ? '' : `&cursor=${copy.cursor}`}`, (message) => {
      copy.apply(message)
      return left-- > 0 && !isDone()
    })
  }
}
