// Chains of a simulated exchange with its bridge, as the demo has them: they fill tables that no recording fills.
import { openPackedChain } from '../../bin/packed-chain.ts'
import { call } from '../../devnet/contracts/actions.ts'
import { HOP } from '../../devnet/contracts/exchange.ts'
import { SPONSOR } from '../../devnet/contracts/sponsor.ts'
import type { NetworkName } from '../../devnet/networks.ts'
import { ExchangeSimulation } from '../../devnet/simulation/exchange-simulation.ts'
import { indexChain } from '../../indexer/run.ts'
import { DAY, openSimulation, START } from '../devnet/simulation/open-simulation.ts'
import { ChainSource, FAILING_EVENTS } from './devnet.ts'
import { CHAIN } from './scene.ts'

const INTERVAL = 600_000
/** Blocks at the end, whose certificates make those before them final. */
const LAST_BLOCKS = 4

/** @returns the chains up to a number of days, and what indexes one into a database and packs it */
export async function simulated(seed: number, days: number) {
  const { lines, until } = openSimulation((setting) => new ExchangeSimulation(setting, { edgeCases: true }), {
    ...{ seed, days, interval: INTERVAL },
  })
  await until(START + days * DAY)
  // Actions that the simulation does not need by then.
  lines.wax.chain.produce({ transactions: [[call(SPONSOR, 'noop', SPONSOR, {})]] })
  lines.telos.chain.produce({ transactions: [[call(HOP, 'returnlog', HOP, { id: 0n, wd_id: 0n })]] })
  for (const { chain } of [lines.wax, lines.telos]) {
    for (let i = 0; i < LAST_BLOCKS; i++) chain.produce()
  }
  return (name: NetworkName) => {
    const { chain } = lines[name]
    const profile = `config/demo/${name}.json`
    const args = { positionals: [], values: { chain: CHAIN, profile } }
    const { settings: configured, chain: config } = openPackedChain(args)
    const settings = { ...configured, accounts: { ...configured.accounts, liquid: SPONSOR } }
    const source = () => new ChainSource(chain)
    const index = (databaseUrl: string) =>
      indexChain({
        ...{ ...settings, chain: CHAIN, databaseUrl, source: source(), chainId: config.chainId ?? null },
        ...{ startBlock: chain.firstBlock, fullStateBlock: chain.firstBlock, endBlock: chain.lib.num },
        signal: new AbortController().signal,
        events: FAILING_EVENTS,
      })
    return { chain, settings, source, index }
  }
}
