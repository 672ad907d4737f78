// Shared by tests of the state-history source: servers that stop with the test, sources with short delays.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { WebSocketServer } from 'ws'
import { UserError } from '../../core/errors.ts'
import type { ShipOptions } from '../../indexer/source/ship/options.ts'
import { ShipSource } from '../../indexer/source/ship/source.ts'
import type { BlockPosition, PackedBlock, StartPosition } from '../../indexer/source/source.ts'
import { type ShipScript, ShipServer, type Step } from './ship-server.ts'

export const never = new AbortController().signal
export const position = ({ num, id }: BlockPosition): BlockPosition => ({ num, id })
export const ids = (blocks: BlockPosition[]) => blocks.map((block) => block.id)

export async function serve(t: Test, script: ShipScript): Promise<ShipServer> {
  const server = await ShipServer.start(script)
  t.teardown(() => server.stop())
  return server
}

export function sourceOf(servers: { url: string }[], options: Partial<ShipOptions> = {}): ShipSource {
  return new ShipSource({ urls: servers.map((server) => server.url), chain: 'wax', backoffMs: [5, 40], ...options })
}

export async function all(source: ShipSource, start: StartPosition, signal = never): Promise<PackedBlock[]> {
  const blocks: PackedBlock[] = []
  for await (const block of source.blocks(start, signal)) blocks.push(block)
  return blocks
}

export async function refusal(source: ShipSource, start: StartPosition = { from: 2, have: [] }): Promise<UserError> {
  const error = await all(source, start).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof UserError)) throw new Error(`no UserError but ${error}`)
  return error
}

/** A server that accepts connections, sends only `greeting` and then is silent. */
export async function acceptOnly(t: Test, greeting?: string): Promise<{ url: string }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (socket) => greeting && socket.send(greeting))
  await once(server, 'listening')
  t.teardown(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** The blocks from `start` on, as a node would send them. */
export const from = (blocks: PackedBlock[], start: number): Step[] => blocks.filter((block) => block.num >= start)
