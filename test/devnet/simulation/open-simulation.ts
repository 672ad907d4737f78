// Simulations of the exchange for tests: the history that a devnet makes, without servers.
import { readSignedBlock } from '../../../core/antelope/block.ts'
import { finalityExtensionOf } from '../../../core/finality/finality-extension.ts'
import { toHex } from '../../../core/hex.ts'
import { Chain } from '../../../devnet/chain/chain.ts'
import { type HistoryOptions, type Line, makeHistory } from '../../../devnet/history.ts'
import { type NetworkName, networks } from '../../../devnet/networks.ts'
import type { Simulation, SimulationSettings } from '../../../devnet/scenario.ts'

export const START = Date.parse('2026-02-01T00:00:00Z')
export const DAY = 86_400_000

export interface Open<W extends Simulation, N extends NetworkName> {
  simulation: W
  lines: Record<N, Line>
  /** Continues history up to a time, Unix milliseconds. */
  until(time: number): Promise<void>
}

interface OpenOptions<N extends NetworkName> {
  seed: number
  days: number
  interval: number
  chains?: readonly N[]
}

const LAST_HOUR_INTERVAL = 60_000

/** @param make  creates a simulation from its settings; both chains unless others are given */
export function openSimulation<W extends Simulation, N extends NetworkName = NetworkName>(
  make: (setting: SimulationSettings) => W,
  { seed, days, interval, chains = ['wax', 'telos'] as unknown as N[] }: OpenOptions<N>,
): Open<W, N> {
  const end = START + days * DAY
  const times = { end, interval, lastHourInterval: LAST_HOUR_INTERVAL }
  const simulation = make({ chains, seed, start: START, ...times })
  const open = (name: N): [N, Line] => {
    const { contracts, play } = simulation.scenario(name)
    const chain = new Chain({ ...networks[name], seed: `${name}/${seed}`, startTime: START, contracts })
    return [name, { chain, player: play(chain) }]
  }
  const lines = Object.fromEntries(chains.map(open)) as Record<N, Line>
  const history: HistoryOptions = { ...times, certificateEvery: 400, policyEvery: 300 }
  return {
    simulation,
    lines,
    until: (time) => makeHistory(Object.values<Line>(lines), simulation, { ...history, until: time }),
  }
}

/** Root of the finality tree up to a block, in hex, as the header of its child claims it. */
export function finalityRootOf(chain: Chain, num: number): string | null {
  const { header } = readSignedBlock(chain.block(num + 1)!.block)
  return finalityExtensionOf(header)?.claim.blockNum === num ? toHex(header.actionMroot) : null
}
