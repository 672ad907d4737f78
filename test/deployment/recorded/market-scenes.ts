// Faults of a market's node, databases, disk and processes.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packAbi } from '../../../core/antelope/abi/pack.ts'
import { deployAbi } from '../../../devnet/chain/chain.ts'
import { abiFile } from '../../../devnet/contracts/abi-file.ts'
import { playable } from '../../indexer/bootstrap/random-exchange.ts'
import { type MarketPlace, openMarketPlace } from './market-place.ts'
import type { Scene } from './place.ts'

const open = openMarketPlace
const MINUTE = 60
const AMM = 'swap.svc'
/** Bytes that leave less than the limit of HeadwaterDiskFull. */
const FILL_BYTES = 1.5e9
/** How long the server is stopped, and how long it runs, ms. */
const [STOPPED_MS, RUNNING_MS] = [1800, 200]
/** More than the API has connections. */
const CROWD = 60

const nothing = () => {}

/** An ABI whose rows of pools have a member that the contract does not write. */
function otherAbi() {
  const abi = playable(abiFile('swap.svc.newer'))
  const { type } = abi.tables.find(({ name }) => name === 'pools') ?? { type: '' }
  const structs = abi.structs.map((struct) =>
    struct.name === type ? { ...struct, fields: [...struct.fields, { name: 'digest', type: 'checksum256' }] } : struct,
  )
  return { ...abi, structs }
}

export const marketScenes: readonly Scene<MarketPlace>[] = [
  {
    name: 'market-healthy',
    fault: 'none: an indexer, an API on the primary and one on its standby, with clients',
    ...{ open, healthySeconds: 6 * MINUTE, faultySeconds: 0, moreSeconds: 30 * MINUTE, fires: [] },
    make: async () => nothing,
  },
  {
    name: 'node-stops',
    leavesTraces: true,
    fault: 'the node makes no more blocks',
    ...{ open, faultySeconds: 150, moreSeconds: MINUTE, fires: ['HeadwaterLag', 'HeadwaterNoBlocks'] },
    also: ['HeadwaterAnomalies'],
    async make(place) {
      place.isLive = false
      return () => {
        place.isLive = true
      }
    },
  },
  {
    name: 'connection-flaps',
    leavesTraces: true,
    fault: 'the node closes its connections every ten seconds',
    ...{ open, faultySeconds: 120, moreSeconds: 0, fires: ['HeadwaterAnomalies'] },
    async make({ ship }) {
      const timer = setInterval(() => ship.dropAll(), 10_000)
      return () => clearInterval(timer)
    },
  },
  {
    name: 'deep-fork',
    leavesTraces: true,
    fault: 'the node replaces its last twelve blocks',
    ...{ open, faultySeconds: 60, moreSeconds: 0, fires: ['HeadwaterDeepFork'] },
    async make(place) {
      const { chain, exchange, produce } = place
      place.produce = (time) => void chain.produce({ time, certificate: 'none', transactions: [[exchange.play()]] })
      const first = chain.head.num
      await new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (chain.head.num < first + 12) return
          clearInterval(timer)
          chain.fork(12)
          resolve()
        }, 100)
      })
      place.produce = produce
      return nothing
    },
  },
  {
    name: 'abi-does-not-fit',
    leavesTraces: true,
    fault: 'a contract gets an ABI that does not fit the rows that it writes',
    ...{ open, faultySeconds: 60, moreSeconds: 0, fires: ['HeadwaterStaleRows', 'HeadwaterUndecodedRows'] },
    async make({ chain, exchange }) {
      const own = chain.state.abiOf(AMM)
      const abiOf = chain.state.abiOf.bind(chain.state)
      chain.produce({ transactions: [[deployAbi(AMM, packAbi(otherAbi()))]] })
      chain.state.abiOf = (code) => (code === AMM ? own : abiOf(code))
      chain.produce({ transactions: Array.from({ length: 8 }, () => [exchange.play(AMM)]) })
      return () => {
        chain.state.abiOf = abiOf
        chain.produce({ transactions: [[deployAbi(AMM, packAbi(playable(abiFile('swap.svc.newer'))))]] })
      }
    },
  },
  {
    name: 'standby-does-not-replay',
    fault: 'the standby does not replay what it receives',
    ...{ open, faultySeconds: 105, moreSeconds: 0, fires: ['HeadwaterReplayLag'], also: ['HeadwaterLag'] },
    async make({ servers }) {
      await servers.standby.query('select pg_wal_replay_pause()')
      return () => servers.standby.query('select pg_wal_replay_resume()')
    },
  },
  {
    name: 'postgres-is-slow',
    leavesTraces: true,
    fault: 'PostgreSQL runs for 0.2 seconds of each two, and 60 more clients ask',
    ...{ open, faultySeconds: 240, moreSeconds: 10 * MINUTE, fires: ['HeadwaterHttpSlow', 'HeadwaterPoolBusy'] },
    async make({ servers: { primary }, clients }) {
      clients.run(CROWD)
      let resume: NodeJS.Timeout
      const timer = setInterval(() => {
        primary.kill('SIGSTOP')
        resume = setTimeout(() => primary.kill('SIGCONT'), STOPPED_MS)
      }, STOPPED_MS + RUNNING_MS)
      return () => {
        clearInterval(timer)
        clearTimeout(resume)
        primary.kill('SIGCONT')
      }
    },
  },
  {
    name: 'postgres-is-down',
    leavesTraces: true,
    fault: 'the primary PostgreSQL is killed',
    ...{ open, faultySeconds: 150, moreSeconds: 5 * MINUTE, fires: ['HeadwaterHttpErrors'] },
    also: ['HeadwaterLag', 'HeadwaterNoBlocks', 'HeadwaterReplayLag'],
    async make({ servers: { primary } }) {
      primary.kill()
      return () => primary.start()
    },
  },
  {
    name: 'disk-is-low',
    fault: 'a file fills the disk of the database up to the last 5 GB',
    ...{ open, faultySeconds: 60, moreSeconds: 5 * MINUTE, fires: ['HeadwaterDiskFull'] },
    async make({ disk }) {
      const file = join(disk, 'file')
      writeFileSync(file, Buffer.alloc(FILL_BYTES))
      return () => rmSync(file)
    },
  },
  {
    name: 'job-fails',
    fault: 'a person takes the writer’s right to a function that a job calls each minute',
    ...{ open, faultySeconds: 240, moreSeconds: 130 * MINUTE, fires: ['HeadwaterJobsFail', 'HeadwaterJobStale'] },
    async make({ servers: { primary } }) {
      const rights = (text: string) => primary.query(text, [], 'headwater')
      await rights('revoke execute on function meta.count_hours from public, headwater_writer')
      return () => rights('grant execute on function meta.count_hours to headwater_writer')
    },
  },
  {
    name: 'process-dies',
    leavesTraces: true,
    fault: 'the API on the primary is killed',
    ...{ open, faultySeconds: 90, moreSeconds: 0, fires: ['HeadwaterDown'] },
    async make({ api }) {
      api.child.kill('SIGKILL')
      return nothing
    },
  },
  {
    name: 'process-is-gone',
    leavesTraces: true,
    fault: 'the indexer is killed, and its name has no address any more, as of a container that is stopped',
    ...{ open, faultySeconds: 90, moreSeconds: 0, fires: ['HeadwaterGone'] },
    async make({ indexer, lost }) {
      indexer.child.kill('SIGKILL')
      lost.add('indexer:7701')
      return nothing
    },
  },
]

/** In a place of their own: they take long, or are there from the start. */
export const longMarketScenes: readonly Scene<MarketPlace>[] = [
  {
    name: 'finality-stalls',
    fault: 'no block has a certificate any more',
    ...{ open, faultySeconds: 675, moreSeconds: 0, fires: ['HeadwaterFinalityStalls'] },
    async make(place) {
      const { chain, exchange, produce } = place
      place.produce = (time) => void chain.produce({ time, certificate: 'none', transactions: [[exchange.play()]] })
      return () => {
        place.produce = produce
      }
    },
  },
]
