// The processes of a market on a live chain: an indexer, an API on a primary PostgreSQL and one on its standby, a client
// that asks both. A fault is made to the node, the servers, the disk or the processes.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Chain } from '../../../devnet/chain/chain.ts'
import { type ShipServer, startShip } from '../../../devnet/ship/server.ts'
import { migrate } from '../../../migrations/migrate.ts'
import { type Running, start } from '../../bin/program.ts'
import { RandomExchange } from '../../indexer/bootstrap/random-exchange.ts'
import { freePort } from '../../support/debian-server.ts'
import { type ReplicatedServers, startReplicatedServers } from '../../support/standby.ts'
import { Clients } from './clients.ts'
import { everyHalfSecond } from './live.ts'
import { opened, type Place, untilReady } from './place.ts'

const DATABASE = 'headwater'
/** What the client asks for. */
const PATHS = ['/api/v2/swap/pools', '/api/v3/swaps/newest?limit=15']
/** More than the limit of HeadwaterDiskFull. */
const DISK = '6g'

export interface MarketPlace extends Place {
  chain: Chain
  exchange: RandomExchange
  ship: ShipServer
  servers: ReplicatedServers
  indexer: Running
  api: Running
  clients: Clients
  /** Folder on a small disk, which the indexer watches. */
  disk: string
  /** Makes no block while it is false. */
  isLive: boolean
  /** How a block is made. */
  produce: (time: number) => void
  /** Targets that service discovery has lost, by instance. */
  lost: Set<string>
}

export const openMarketPlace = () => opened<MarketPlace>(marketPlace)

async function marketPlace(atEnd: (work: () => unknown) => void): Promise<Omit<MarketPlace, 'close'>> {
  const servers = await startReplicatedServers()
  if ('missing' in servers) throw new Error(servers.missing)
  atEnd(() => servers.stop())
  await servers.primary.query(`create database ${DATABASE}`)
  const url = servers.primary.url(DATABASE)
  await migrate(url)
  await servers.replayed()
  const disk = mkdtempSync(join(tmpdir(), 'headwater-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk])
  atEnd(() => {
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })
  const exchange = new RandomExchange(1, { startTime: Math.floor(Date.now() / 500) * 500 - 60_000 })
  exchange.produce(100)
  const { chain } = exchange
  const ship = await startShip(chain)
  atEnd(() => ship.stop())
  const env = {
    HEADWATER_CHAINS: 'dev',
    HEADWATER_DEV_SOURCE_KIND: 'ship',
    HEADWATER_DEV_SOURCE_URLS: ship.url,
  }
  const [one, two, three] = await Promise.all([freePort(), freePort(), freePort()])
  const at = (port: number) => `http://127.0.0.1:${port}`
  const own = { ...env, DATABASE_URL: url, HEADWATER_DATABASE_DIR: disk }
  const program = (args: string[], env: Record<string, string>) => {
    const running = start(args, env)
    atEnd(() => running.child.kill('SIGKILL'))
    return running
  }
  const indexer = program(['index', '--metrics-port', `${one}`], own)
  const api = program(['api'], { ...env, DATABASE_URL: url, PORT: `${two}` })
  const reader = program(['api'], { ...env, DATABASE_URL: servers.standby.url(DATABASE), PORT: `${three}` })
  const clients = new Clients([at(two), at(three)].flatMap((api) => PATHS.map((path) => api + path)))
  atEnd(() => clients.stop())
  const lost = new Set<string>()
  const target = (job: string, instance: string, port: number) => ({
    job,
    instance,
    url: () => (lost.has(instance) ? null : at(port)),
  })
  const place: Omit<MarketPlace, 'close'> = {
    ...{ chain, exchange, ship, servers, indexer, api, clients, disk, lost },
    isLive: true,
    produce: (time) => void chain.produce({ time, transactions: [[exchange.play()]] }),
    targets: [target('indexer', 'indexer:7701', one), target('api', 'api:7700', two), target('api', 'api:7710', three)],
  }
  atEnd(
    everyHalfSecond((time) => {
      if (place.isLive && time > chain.headTime) place.produce(time)
    }),
  )
  for (const [port, running] of [
    [two, api],
    [three, reader],
    [one, indexer],
  ] as const)
    await untilReady(at(port), running)
  clients.run(4)
  return place
}
