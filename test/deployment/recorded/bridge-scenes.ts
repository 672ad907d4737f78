// Faults of a bridge's chains, relayer and database.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { until } from '../../support/until.ts'
import {
  type BridgePlace,
  EVM_SECONDS,
  MAX_LAG_SECONDS,
  openBridgePlace,
  RELAYER_ADDRESS,
  RELEASE_SECONDS,
} from './bridge-place.ts'
import type { Scene } from './place.ts'

const open = openBridgePlace
const MINUTE = 60
/** Above the default of relay.maxFeeGwei. */
const SPIKE = `0x${(1000n * 10n ** 9n).toString(16)}`

export const bridgeScenes: readonly Scene<BridgePlace>[] = [
  {
    name: 'bridge-healthy',
    fault: 'none: an indexer, an API and a relayer, with a withdrawal every 20 seconds',
    ...{ open, healthySeconds: 5 * MINUTE, faultySeconds: 0, moreSeconds: 30 * MINUTE, fires: [] },
    make: async () => () => {},
  },
  {
    name: 'key-used-elsewhere',
    fault: 'another program sends a transaction with a nonce that the relayer has used',
    leavesTraces: true,
    ...{ open, faultySeconds: 240, moreSeconds: 0, fires: ['HeadwaterRelayKeyUsedElsewhere'] },
    async make({ rpc, withdraw }) {
      await rpc('evm_setIntervalMining', 0)
      withdraw()
      type Pool = { pending: Record<string, Record<string, { hash: string; nonce: string }>> }
      const waiting = async () => {
        const { pending } = await rpc<Pool>('txpool_content')
        return Object.values(pending).flatMap((own) => Object.values(own))
      }
      await until('a transaction of the relayer', async () => (await waiting()).length > 0, 200)
      for (const { hash } of await waiting()) await rpc('anvil_dropTransaction', hash)
      await rpc('eth_sendTransaction', { from: RELAYER_ADDRESS, to: RELAYER_ADDRESS, value: '0x1' })
      await rpc('evm_mine')
      await rpc('evm_setIntervalMining', EVM_SECONDS)
      return () => {}
    },
  },
  {
    name: 'api-serves-wrong-proofs',
    fault: 'the bridge API serves proofs in which another fee stands',
    leavesTraces: true,
    ...{ open, faultySeconds: 60, moreSeconds: 0, fires: ['HeadwaterRelayProofRefused'] },
    async make({ apiFront }) {
      const { change } = apiFront
      apiFront.change = (path, body) => {
        if (!path.startsWith('/proofs/')) return body
        const proof = JSON.parse(body)
        for (const part of [proof.hard, proof.light]) if (part) part.release.fee = '1'
        return JSON.stringify(proof)
      }
      return () => {
        apiFront.change = change
      }
    },
  },
  {
    name: 'relayer-has-no-coins',
    fault: 'the key of the relayer has 0.00001 coins left',
    ...{ open, faultySeconds: 90, moreSeconds: 5 * MINUTE },
    fires: ['HeadwaterRelayBalanceLow'],
    also: ['HeadwaterRelayLimited'],
    async make({ rpc }) {
      const balance = await rpc('eth_getBalance', RELAYER_ADDRESS, 'latest')
      await rpc('anvil_setBalance', RELAYER_ADDRESS, `0x${(10n ** 13n).toString(16)}`)
      return () => rpc('anvil_setBalance', RELAYER_ADDRESS, balance)
    },
  },
  {
    name: 'base-fee-spikes',
    fault: 'the base fee is 1,000 gwei in every block, with a transaction of the relayer in the pool',
    ...{ open, faultySeconds: 150, moreSeconds: 16 * MINUTE },
    fires: ['HeadwaterRelayLimited', 'HeadwaterRelayStuck'],
    async make({ rpc, withdraw }) {
      await rpc('evm_setIntervalMining', 0)
      withdraw()
      const status = () => rpc<{ pending: string }>('txpool_status')
      await until('a transaction of the relayer', async () => Number((await status()).pending) > 0, 200)
      let isOver = false
      const mine = async () => {
        while (!isOver) {
          await rpc('anvil_setNextBlockBaseFeePerGas', SPIKE)
          await rpc('evm_mine')
          await delay(EVM_SECONDS * 1000)
        }
      }
      const mining = mine()
      return async () => {
        isOver = true
        await mining
        await rpc('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
        await rpc('evm_setIntervalMining', EVM_SECONDS)
      }
    },
  },
  {
    name: 'evm-node-lags',
    fault: 'the node of the EVM chain gets no new block, with a transaction of the relayer in the pool',
    ...{ open, faultySeconds: MAX_LAG_SECONDS + 150, moreSeconds: 16 * MINUTE },
    fires: ['HeadwaterRelayLimited', 'HeadwaterRelayStuck'],
    also: ['HeadwaterAnomalies', 'HeadwaterLag', 'HeadwaterNoBlocks'],
    async make({ rpc, withdraw }) {
      await rpc('evm_setIntervalMining', 0)
      withdraw()
      const status = () => rpc<{ pending: string }>('txpool_status')
      await until('a transaction of the relayer', async () => Number((await status()).pending) > 0, 200)
      return () => rpc('evm_setIntervalMining', EVM_SECONDS)
    },
  },
  {
    name: 'evm-node-hangs',
    fault: 'the node of the EVM chain takes requests and answers none',
    ...{ open, faultySeconds: 120, moreSeconds: 6 * MINUTE, fires: ['HeadwaterRelayStalled'] },
    also: ['HeadwaterAnomalies', 'HeadwaterLag', 'HeadwaterNoBlocks'],
    leavesTraces: true,
    async make({ evmFront }) {
      evmFront.isSilent = true
      return () => {
        evmFront.isSilent = false
      }
    },
  },
  {
    name: 'relayer-is-switched-off',
    fault: `the stop file of the relayer is forgotten, for ${RELEASE_SECONDS / 60} minutes that a withdrawal can be released`,
    ...{ open, faultySeconds: 60, moreSeconds: RELEASE_SECONDS - 10 * MINUTE },
    fires: ['HeadwaterBridgeDeadline', 'HeadwaterRelayDeadline'],
    async make({ setStopped, withdraw }) {
      setStopped(true)
      withdraw()
      return () => setStopped(false)
    },
  },
  {
    name: 'finality-rows-are-lost',
    fault: 'rows of finality are deleted from the database, and a client asks for a proof that needs them',
    ...{ open, faultySeconds: 45, moreSeconds: 0, fires: ['HeadwaterProofsFail'] },
    async make({ setStopped, withdraw, proven, databaseUrl, api }) {
      setStopped(true)
      const key = withdraw()
      await proven(key)
      const client = new pg.Client(databaseUrl)
      await client.connect()
      await client.query(
        `delete from ledger.finality f using ledger.withdrawals w where w.chain = f.chain and w.id = $1 and f.block_num = w.block_num`,
        [key.slice(2)],
      )
      await client.end()
      const timer = setInterval(() => void fetch(`${api}/proofs/${encodeURIComponent(key)}`).catch(() => {}), 2000)
      return () => {
        clearInterval(timer)
        setStopped(false)
      }
    },
  },
]
