// Indexes blocks recorded from a real node, and proves every withdrawal from the database, hard and light, across two
// changes of the finalizer policy. Contracts on a real EVM accept the proofs that are for their chain.
import { fileURLToPath } from 'node:url'
import { Contract, solidityPackedKeccak256, toBeHex, ZeroAddress, ZeroHash, zeroPadValue } from 'ethers'
import type { Pool } from 'pg'
import t, { type Test } from 'tap'
import { slotToMs } from '../../core/antelope/time.ts'
import { packFinalizerPolicy } from '../../core/finality/finalizer-policy.ts'
import { SqlSource } from '../../finality-store/proof-source.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { certificateVerifier } from '../../proofs/certificates.ts'
import { type Destination, type Proof, proveWithdrawal } from '../../proofs/prove.ts'
import { Anvil } from '../contracts/anvil.ts'
import { canonicalBlocks, type RecordedBlock, readFrames } from '../indexer/replay/frames.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { rootArguments } from './destination.ts'
import { LEDGER, LEDGER_NAMES } from './telos.ts'

const RECORDINGS = [
  { name: 'small', generations: [1, 2, 3] },
  { name: 'medium', generations: [1, 2, 3] },
  // In this recording there is no burn before the first change of policy.
  { name: 'forks', generations: [2] },
]
/** Storage slots of the vault's pauses and releaser, and of `PlainToken.balanceOf`. */
const RELEASER_SLOT = 3
const BALANCE_SLOT = 1
const CHAIN = 'recorded'
/** A domain that the recordings use for an EVM chain. */
const EVM = 1n

interface Burned {
  id: bigint
  domain: bigint
  vault: string
  blockNum: number
}

const verify = certificateVerifier()
/** Knowledge of a light client that starts from the first policy. */
const FRESH = { roots: [], generation: 1, newest: 1 }

function prove(pool: Pool, { id, vault }: Burned, change: Partial<Destination> = {}): Promise<Proof | null> {
  const destination = { releaseTo: ZeroAddress, vault, lightClient: ZeroAddress, ...FRESH, ...change }
  return proveWithdrawal({ source: new SqlSource(pool, CHAIN), verify, ledger: LEDGER }, id, destination)
}

/** Withdrawals of the canonical chain, decoded without project code: id u64, domain u64, vault with its length. */
function burnedIn(blocks: readonly RecordedBlock[]): Burned[] {
  return blocks.flatMap(({ num, actions }) =>
    actions
      .filter(({ account, name }) => account === LEDGER.account && name === LEDGER.action)
      .map(({ data }) => {
        const bytes = Buffer.from(data, 'hex')
        const vault = `0x${bytes.subarray(17, 17 + bytes[16]!).toString('hex')}`
        return { id: bytes.readBigUInt64LE(0), domain: bytes.readBigUInt64LE(8), vault, blockNum: num }
      }),
  )
}

/** An EVM chain with the reference contracts. */
async function openEvm(t: Test, pool: Pool) {
  const source = new SqlSource(pool, CHAIN)
  const [first] = await source.policies()
  const { timestamp } = (await source.block(first!.blockNum))!
  const anvil = await Anvil.start({ chainId: Number(EVM), time: Math.floor(slotToMs(timestamp) / 1000) })
  t.teardown(() => anvil.stop())
  const client = await anvil.deploy('SvcLightClient', packFinalizerPolicy(first!.policy))
  const { provider, sender } = anvil
  const model = await anvil.deploy('SvcVault', 1)
  const code = await provider.getCode(model.target)
  const modelToken = await anvil.deploy('PlainToken', 'ANY', 4, 0)
  const tokenCode = await provider.getCode(modelToken.target)
  const store = (address: string, slot: string, value: bigint) =>
    provider.send('anvil_setStorageAt', [address, slot, toBeHex(value, 32)])
  const owner = zeroPadValue(await sender.getAddress(), 32)
  const withdrawalsOf = (vault: string) => anvil.deploy('SvcWithdrawals', client.target, vault, ...LEDGER_NAMES)
  /** Puts the reference vault at an address that the recording invented, with enough balance for all releases. */
  const vaultAt = async (address: string, token: string, releaser: Contract) => {
    await provider.send('anvil_setCode', [address, code])
    await provider.send('anvil_setStorageAt', [address, ZeroHash, owner])
    await store(address, toBeHex(RELEASER_SLOT, 32), 0n)
    if (token === ZeroAddress) await provider.send('anvil_setBalance', [address, `0x${(10n ** 24n).toString(16)}`])
    else {
      await provider.send('anvil_setCode', [token, tokenCode])
      await store(token, solidityPackedKeccak256(['uint256', 'uint256'], [address, BALANCE_SLOT]), 10n ** 24n)
    }
    const vault = new Contract(address, model.interface, sender)
    await anvil.send(vault, 'setReleaser', releaser.target)
    await anvil.send(vault, 'setAsset', token, 1, 10n ** 27n, true, 1)
    await anvil.send(vault, 'setLimit', token, await model.getFunction('UNLIMITED')())
    return vault
  }
  const knows = async () => ({
    lightClient: client.target as string,
    generation: Number(await client.getFunction('generation')()),
    newest: Number(await client.getFunction('newest')()),
  })
  return { anvil, client, withdrawalsOf, vaultAt, knows }
}

for (const { name, generations } of RECORDINGS) {
  t.test(name, async (t) => {
    const path = fileURLToPath(new URL(`../fixtures/recordings/${name}.ship.gz`, import.meta.url))
    const { url, pool } = await testDatabase(t, { chains: ['recorded'] })
    const blocks = canonicalBlocks(await readFrames(path))
    const burned = burnedIn(blocks)
    const { position } = await indexRecording(url, CHAIN, new ReplaySource(path))
    const provable: { burn: Burned; root: { root: string; lastBlock: number } }[] = []

    t.test('every withdrawal in a final block has a hard proof, and a light one by a stored root', async (t) => {
      for (const burn of burned) {
        const hard = await prove(pool, burn)
        if (!hard && burn.blockNum > position.lib) continue
        const { finalityMroot, qcClaimBlockNum } = hard!.proof.hard.submitRoot.finality
        provable.push({ burn, root: { root: finalityMroot.slice(2), lastBlock: qcClaimBlockNum } })
      }
      const { root } = provable.reduce((a, b) => (a.root.lastBlock > b.root.lastBlock ? a : b))
      for (const { burn } of provable) {
        const light = await prove(pool, burn, { roots: [root] })
        t.equal(light?.proof.track, 'light', `withdrawal ${burn.id} of block ${burn.blockNum}`)
      }
      const final = burned.filter(({ blockNum }) => blockNum <= position.lib).length
      t.ok(provable.length >= final && final > 20, `${provable.length} of ${burned.length}, ${final} of them final`)
      t.ok(provable.some(({ burn }) => burn.domain !== EVM) && provable.some(({ burn }) => burn.domain === EVM))
    })

    t.test('contracts accept the proofs for their chain and refuse all others', async (t) => {
      const { anvil, client, withdrawalsOf, vaultAt, knows } = await openEvm(t, pool)
      const seen = new Set<number>()
      const every = process.env.HEADWATER_TEST_LONG === undefined ? Math.ceil(provable.length / 17) : 1
      for (const { burn } of provable.filter((_, i) => i % every === 0)) {
        const isOurs = burn.domain === EVM
        const contract = await withdrawalsOf(isOurs ? burn.vault : `0x${burn.id.toString(16).padStart(40, 'e')}`)
        const releaseTo = contract.target as string
        const { proof } = (await prove(pool, burn, { releaseTo, ...(await knows()) }))!
        const { submitRoot, release, handoffs } = proof.hard
        for (const handoff of handoffs) {
          await anvil.send(client, 'submitAndLearn', ...rootArguments(handoff.submitRoot), handoff.learn)
        }
        const call = (released: object) => [...rootArguments(submitRoot), released]
        if (!isOurs) {
          // Recipients that are text instead of an address cannot even be encoded.
          const passable = { ...release, token: ZeroAddress, recipient: ZeroAddress }
          t.equal(await anvil.refusal(contract, 'submitAndRelease', ...call(passable)), 'WrongDomain')
          continue
        }
        const other = { ...release, recvSequence: `${BigInt(release.recvSequence) + 1n}` }
        t.equal(await anvil.refusal(contract, 'submitAndRelease', ...call(other)), 'ActionNotInBlock')
        const vault = await vaultAt(burn.vault, release.token, contract)
        const isPaid = () => vault.getFunction('released')(burn.id)
        const undo = await anvil.snapshot()
        await anvil.send(contract, 'submitAndRelease', ...call(release))
        t.ok(await isPaid(), `withdrawal ${burn.id} is paid by the hard proof`)
        await undo()
        t.notOk(await isPaid())
        await anvil.send(client, 'submitRoot', ...rootArguments(submitRoot))
        const root = { root: release.finalityMroot.slice(2), lastBlock: submitRoot.finality.qcClaimBlockNum }
        const { light } = (await prove(pool, burn, { releaseTo, ...(await knows()), roots: [root] }))!.proof
        t.equal(light!.release.finalityMroot, release.finalityMroot, 'the root that the certificate has made trusted')
        await anvil.send(contract, 'release', light!.release)
        t.ok(await isPaid(), `withdrawal ${burn.id} is paid by the light proof`)
        t.equal(await anvil.refusal(contract, 'release', light!.release), 'AlreadySettled')
        seen.add(submitRoot.finality.activeGeneration)
      }
      t.same([...seen], generations, 'certificates of all policies')
    })
  })
}
