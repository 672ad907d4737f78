// Gas of releases by light and hard proofs on a local EVM (anvil, Prague): a finality tree of 26 levels, 6 levels of
// actions, a plain ERC-20 token, no memo; 4, 21 and 30 finalizers who all vote, and 21 + 21 of a joint certificate.
// Every release goes to a recipient without a balance. Usage: node --import tsx bench/proof-gas.ts [prague|osaka]
import { packFinalizerPolicy } from '../core/antelope/finalizer-policy.ts'
import { Anvil } from '../test/contracts/anvil.ts'
import { rootArguments } from '../test/proofs/destination.ts'
import { LEDGER_NAMES } from '../test/proofs/telos.ts'
import { addressOf, type MadePolicy, makePolicy, makeProof } from './proofs/made-proof.ts'

const DOMAIN = 1
const TIME = Date.parse('2026-01-01T00:00:00Z') / 1000
const hardfork = process.argv[2] === 'osaka' ? 'osaka' : 'prague'

/** What the notes on proofs give: a prototype without a vault, and what the operator publishes. */
const GIVEN: Record<string, string> = {
  light: 'prototype 108k to 125k, published 145k to 180k',
  '4 keys': 'prototype submitRoot alone 230k',
  '21 keys': 'prototype 352k, published about 2.6M',
  '30 keys': 'prototype submitRoot alone 287k',
  '21 + 21 keys': 'prototype 571k',
}

/** 128 ids share a word of the vault's storage: the first of them pays for it. */
const FRESH = 'first id of a word'
const USED = 'id in a used word'

const equal = (count: number): bigint[] => new Array<bigint>(count).fill(1n)
const anvil = await Anvil.start({ chainId: DOMAIN, time: TIME, hardfork })
try {
  console.log(`gas on anvil, ${hardfork}: 26-deep tree, 6-deep actions, plain ERC-20, no memo`)
  for (const [name, keys, pendingKeys] of [
    ['4 keys', 4, 0],
    ['21 keys', 21, 0],
    ['30 keys', 30, 0],
    ['21 + 21 keys', 21, 21],
  ] as const) {
    await measure(name, makePolicy(1, equal(keys)), pendingKeys > 0 ? makePolicy(2, equal(pendingKeys)) : null)
  }
} finally {
  await anvil.stop()
}

async function measure(name: string, active: MadePolicy, pending: MadePolicy | null): Promise<void> {
  const token = await anvil.deploy('PlainToken', 'USDC', 6, 10n ** 15n)
  const vault = await anvil.deploy('SvcVault', 1)
  const lightClient = await anvil.deploy('SvcLightClient', packFinalizerPolicy(active.since.policy))
  const withdrawals = await anvil.deploy('SvcWithdrawals', lightClient.target, vault.target, ...LEDGER_NAMES)
  await anvil.send(vault, 'setReleaser', withdrawals.target)
  await anvil.send(vault, 'setAsset', token.target, 1, 10n ** 15n, true, 1)
  await anvil.send(vault, 'setLimit', token.target, 10n ** 12n)
  await anvil.send(token, 'transfer', vault.target, 10n ** 13n)
  const proof = (id: number) =>
    makeProof({
      withdrawal: {
        id: BigInt(id),
        domain: BigInt(DOMAIN),
        vault: addressOf(vault.target as string),
        token: addressOf(token.target as string),
        recipient: addressOf(`0x${(0xabc000 + id).toString(16).padStart(40, '1')}`),
        amount: 5_000_000n,
        deadline: BigInt(TIME + 7 * 86_400),
        fee: 0n,
        memo: new Uint8Array(),
      },
      actionDepth: 6,
      treeDepth: 26,
      active,
      pending,
      votes: () => true,
    })
  const hard = async (id: number, word: string): Promise<void> => {
    const { submitRoot, release } = proof(id)
    const sent = await anvil.send(withdrawals, 'submitAndRelease', ...rootArguments(submitRoot), release)
    line(`hard, ${name}, ${word}`, sent, GIVEN[name]!)
  }
  const light = async (id: number, word: string): Promise<void> => {
    const { submitRoot, release } = proof(id)
    const submitted = await anvil.send(lightClient, 'submitRoot', ...rootArguments(submitRoot))
    if (word === USED) line('  its submitRoot alone', submitted, '')
    line(`  light, ${word}`, await anvil.send(withdrawals, 'release', release), GIVEN.light!)
  }
  await hard(1, FRESH)
  await hard(2, USED)
  await light(3, USED)
  await light(900, FRESH)
}

function line(what: string, { gas, calldata }: { gas: bigint; calldata: number }, given: string): void {
  console.log(`${what.padEnd(40)} ${gas.toString().padStart(8)} gas ${calldata.toString().padStart(6)} B  ${given}`)
}
