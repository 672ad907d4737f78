// Sync committees of Ethereum's main network: a bootstrap and the updates of six periods from it.
import t from 'tap'
import { committeeFromJson, lightHeaderFromJson, roots, updateFromJson } from '../../../core/evm/beacon/json.ts'
import { ETHEREUM, forkVersionAt, periodOf, slotAt } from '../../../core/evm/beacon/network.ts'
import { chunksRoot, climbBranch } from '../../../core/evm/beacon/ssz.ts'
import {
  beaconRoot,
  executionHolds,
  type LightClientUpdate,
  type SyncCommittee,
} from '../../../core/evm/beacon/update.ts'
import { isCurrentCommittee, updateProblem } from '../../../core/evm/beacon/verify.ts'
import { toHex } from '../../../core/hex.ts'
import { sha256 } from '../../../core/sha256.ts'
import { loadVectors } from '../../fixtures/proofs/load.ts'

type Json = Record<string, unknown>
const bootstrap = loadVectors<{ data: Json }>('beacon-mainnet-capella-bootstrap').data
const updates = loadVectors<{ data: Json }[]>('beacon-mainnet-capella-updates').map(({ data }) => updateFromJson(data))
const finality = updateFromJson(loadVectors<{ data: Json }>('beacon-mainnet-capella-finality').data)
const trusted = committeeFromJson(bootstrap.current_sync_committee)

/** Committees by their period, from the first update on. */
const committees = new Map<number, SyncCommittee>([[862, trusted]])
for (const { attested_header, next_sync_committee } of updates)
  committees.set(periodOf(ETHEREUM, attested_header.beacon.slot) + 1, next_sync_committee!)

t.test('a bootstrap holds the committee of its state', async (t) => {
  const header = lightHeaderFromJson(bootstrap.header)
  const branch = roots(bootstrap, 'current_sync_committee_branch')
  t.ok(isCurrentCommittee(ETHEREUM, trusted, branch, header.beacon))
  t.ok(executionHolds(header))
  const other = { ...trusted, aggregate_pubkey: trusted.pubkeys.slice(0, 48) }
  t.notOk(isCurrentCommittee(ETHEREUM, other, branch, header.beacon))
  t.throws(() => isCurrentCommittee({ ...ETHEREUM, committeeSize: 32 }, trusted, branch, header.beacon), {
    code: 'SYNC_COMMITTEE',
  })
})

t.test('each update is signed by the committee that the one before it names', async (t) => {
  for (const update of updates) {
    const period = periodOf(ETHEREUM, update.signature_slot)
    t.equal(updateProblem(ETHEREUM, update, committees.get(period)!), null, `period ${period}`)
  }
  t.equal(updateProblem(ETHEREUM, finality, committees.get(867)!), null, 'finality alone')
  t.equal(finality.finalized_header.execution.block_number, 17_923_026n)
})

t.test('an update with any change is refused', async (t) => {
  const [, update] = updates as [unknown, LightClientUpdate]
  const committee = committees.get(periodOf(ETHEREUM, update.signature_slot))!
  t.equal(updateProblem(ETHEREUM, update, committee), null)
  const problem = (change: (copy: LightClientUpdate) => void, network = ETHEREUM) => {
    const copy = structuredClone(update)
    change(copy)
    return updateProblem(network, copy, committee)
  }
  const flip = (hex: string) => `${hex[0] === '0' ? '1' : '0'}${hex.slice(1)}`
  t.match(
    problem((u) => void u.finalized_header.beacon.slot--),
    /finalised header/,
  )
  t.match(
    problem((u) => void (u.finality_branch[0] = flip(u.finality_branch[0]!))),
    /finalised header/,
  )
  t.match(
    problem((u) => void u.finality_branch.pop()),
    /finalised header/,
  )
  t.match(
    problem((u) => void u.finalized_header.execution.block_number++),
    /execution header/,
  )
  t.match(
    problem((u) => {
      u.finalized_header.execution.receipts_root = flip(u.finalized_header.execution.receipts_root)
    }),
    /execution header/,
  )
  t.match(
    problem((u) => void (u.next_sync_committee!.pubkeys[0]! ^= 1)),
    /next committee/,
  )
  t.match(
    problem((u) => void (u.next_sync_committee = null)),
    /branch of a committee/,
  )
  t.match(
    problem((u) => void u.attested_header.beacon.proposer_index++),
    /another signature/,
  )
  t.match(
    problem((u) => void (u.sync_aggregate.sync_committee_bits[3]! ^= 1)),
    /another signature/,
  )
  t.match(
    problem((u) => void u.sync_aggregate.sync_committee_bits.fill(0, 20)),
    /two thirds/,
  )
  t.match(
    problem((u) => void (u.sync_aggregate.sync_committee_bits = new Uint8Array(63).fill(255))),
    /bits/,
  )
  t.match(
    problem((u) => void (u.signature_slot = u.attested_header.beacon.slot)),
    /slots/,
  )
  t.match(
    problem((u) => void (u.signature_slot += 8192n)),
    /another period/,
  )
  t.match(
    problem(() => {}, { ...ETHEREUM, genesisValidatorsRoot: '00'.repeat(32) }),
    /another signature/,
  )
  t.throws(() => problem((u) => void u.sync_aggregate.sync_committee_signature.fill(1)), { code: 'INVALID_BLS_POINT' })
  t.match(updateProblem(ETHEREUM, update, committees.get(865)!), /another signature/, 'another committee')
})

t.test('forks, periods and slots', async (t) => {
  const at = (epoch: number) => forkVersionAt(ETHEREUM, BigInt(epoch) * 32n)
  t.equal(at(0), '00000000')
  t.equal(at(194_047), '02000000')
  t.equal(at(194_048), '03000000')
  t.equal(at(400_000), '05000000')
  const { slot } = finality.attested_header.beacon
  t.equal(slotAt(ETHEREUM, Number(finality.attested_header.execution.timestamp)), slot)
  t.equal(periodOf(ETHEREUM, slot), 867)
})

t.test('trees are padded with zeros', async (t) => {
  const one = new Uint8Array(32).fill(1)
  const zero = new Uint8Array(32)
  t.same(chunksRoot([one]), one)
  t.same(chunksRoot([one, one, one]), sha256(sha256(one, one), sha256(one, zero)))
  t.same(chunksRoot([], 4), sha256(sha256(zero, zero), sha256(zero, zero)))
  t.same(chunksRoot([one], 4), sha256(sha256(one, zero), sha256(zero, zero)))
  t.equal(climbBranch(one, [one], 5), null, 'a branch that is too short')
  t.equal(toHex(beaconRoot(finality.finalized_header.beacon)).length, 64)
})

t.test('answers of a beacon node that cannot be read', async (t) => {
  const json = loadVectors<{ data: Json }>('beacon-mainnet-capella-finality').data
  t.throws(() => updateFromJson(null), { code: 'BEACON_JSON' })
  t.throws(() => updateFromJson({ ...json, signature_slot: 7 }), { code: 'BEACON_JSON' })
  t.throws(() => updateFromJson({ ...json, signature_slot: `${1n << 64n}` }), { code: 'BEACON_JSON' })
  t.throws(() => updateFromJson({ ...json, finality_branch: 'none' }), { code: 'BEACON_JSON' })
  t.throws(() => updateFromJson({ ...json, finality_branch: ['0x12'] }), { code: 'INVALID_HEX' })
})
