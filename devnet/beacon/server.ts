// REST API of a simulated beacon chain, limited to light clients. Source: beacon-APIs, apis/beacon/light_client.
import { createServer, type Server } from 'node:http'
import { committeeJson, lightHeaderJson, networkJson, updateJson } from './json.ts'
import type { SimulatedBeacon } from './simulated-beacon.ts'

const LIGHT_CLIENT = '/eth/v1/beacon/light_client/'

/**
 * @param chainId  id of the execution chain
 * @returns a server that is not listening yet
 */
export function beaconServer(beacon: SimulatedBeacon, chainId: number): Server {
  return createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const answer = request.method === 'GET' ? answerTo(networkJson(beacon.network, chainId), beacon, url) : null
    response.writeHead(answer === null ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { code: 404, message: 'not found' }))
  })
}

function answerTo(
  { genesis, spec }: ReturnType<typeof networkJson>,
  beacon: SimulatedBeacon,
  { pathname, searchParams }: URL,
): object | null {
  if (pathname === '/eth/v1/beacon/genesis') return { data: genesis }
  if (pathname === '/eth/v1/config/spec') return { data: spec }
  if (!pathname.startsWith(LIGHT_CLIENT)) return null
  const [what, root] = pathname.slice(LIGHT_CLIENT.length).split('/')
  if (what === 'finality_update') {
    const update = beacon.finality()
    return update && updateJson(update)
  }
  if (what === 'updates') {
    const number = (name: string) => Number(searchParams.get(name))
    return beacon.updates(number('start_period'), Math.min(128, number('count'))).map(updateJson)
  }
  const found = what === 'bootstrap' && root ? beacon.bootstrap(root.replace(/^0x/, '')) : null
  if (!found) return null
  const data = {
    header: lightHeaderJson(found.header),
    current_sync_committee: committeeJson(found.committee),
    current_sync_committee_branch: found.branch.map((hash) => `0x${hash}`),
  }
  return { version: 'electra', data }
}
