// Gas of releases by light and hard proofs on a local EVM (anvil, Prague): a finality tree of 26 levels, 6 levels of
// actions, a plain ERC-20 token, no memo; 4, 21 and 30 finalizers who all vote, and 21 + 21 of a joint certificate.
// Each with and without a fee, to accounts that hold the token already and to accounts that do not.
// Usage: node --import tsx bench/proof-gas.ts [prague|osaka]
import { Contract, Wallet } from 'ethers'
import { packFinalizerPolicy } from '../core/finality/finalizer-policy.ts'
import { Anvil, type Sent } from '../test/contracts/anvil.ts'
import { rootArguments } from '../test/proofs/destination.ts'
import { LEDGER_NAMES } from '../test/proofs/telos.ts'
import { addressOf, type MadePolicy, makePolicy, makeProof } from './proofs/made-proof.ts'

const DOMAIN = 1
const TIME = Date.parse('2026-01-01T00:00:00Z') / 1000
const hardfork = process.argv[2] === 'osaka' ? 'osaka' : 'prague'

/** Whether the recipient and the receiver of the fee hold the token before the release. */
const HOLDERS = [
  { who: 'both hold, fee', hold: true, fee: 1000n },
  { who: 'neither holds, fee', hold: false, fee: 1000n },
  { who: 'recipient holds, no fee', hold: true, fee: 0n },
  { who: 'recipient without, no fee', hold: false, fee: 0n },
] as const

type Holders = (typeof HOLDERS)[number]

/** Number of ids in one word of the vault's storage. The first id of a word pays for the word. */
const IDS_A_WORD = 128
const equal = (count: number): bigint[] => new Array<bigint>(count).fill(1n)
const anvil = await Anvil.start({ chainId: DOMAIN, time: TIME, hardfork })
try {
  console.log(`gas on anvil, ${hardfork}: 26-deep tree, 6-deep actions, plain ERC-20, no memo`)
  console.log(`${'case'.padEnd(44)} ${'used word'.padStart(10)} ${'new word'.padStart(10)}   calldata`)
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
  await anvil.send(token, 'approve', vault.target, 10n ** 13n)
  const deposit = await anvil.send(vault, 'deposit', token.target, 10n ** 12n, 1, token.target, 0, 0, '0x')
  const second = await anvil.send(vault, 'deposit', token.target, 10n ** 12n, 1, token.target, 0, 0, '0x')
  if (name === '21 keys') console.log(`deposit, the first and the second of a token: ${deposit.gas}, ${second.gas}`)

  /** A different withdrawal with a different recipient each time. */
  const proofOf = async (id: number, { hold, fee }: Holders) => {
    const recipient = `0x${(0xabc000 + id).toString(16).padStart(40, '1')}`
    if (hold) await anvil.send(token, 'transfer', recipient, 1n)
    return makeProof({
      withdrawal: {
        id: BigInt(id),
        domain: BigInt(DOMAIN),
        vault: addressOf(vault.target as string),
        token: addressOf(token.target as string),
        recipient: addressOf(recipient),
        amount: 5_000_000n,
        deadline: BigInt(TIME + 7 * 86_400),
        fee,
        memo: new Uint8Array(),
      },
      actionDepth: 6,
      treeDepth: 26,
      active,
      pending,
      votes: () => true,
    })
  }
  /** Sends from a new account, with or without the token. */
  const sendAs = async ({ hold }: Holders, method: string, ...parameters: unknown[]): Promise<Sent> => {
    const sender = Wallet.createRandom(anvil.provider)
    await anvil.provider.send('anvil_setBalance', [sender.address, `0x${(10n ** 18n).toString(16)}`])
    if (hold) await anvil.send(token, 'transfer', sender.address, 1n)
    return anvil.send(new Contract(withdrawals.target, withdrawals.interface, sender), method, ...parameters)
  }
  const hard = async (id: number, holders: Holders): Promise<Sent> => {
    const { submitRoot, release } = await proofOf(id, holders)
    return sendAs(holders, 'submitAndRelease', ...rootArguments(submitRoot), release)
  }
  const light = async (id: number, holders: Holders): Promise<Sent> => {
    const { submitRoot, release } = await proofOf(id, holders)
    await anvil.send(lightClient, 'submitRoot', ...rootArguments(submitRoot))
    return sendAs(holders, 'release', release)
  }
  let word = 1
  const both = async (what: string, release: typeof hard, holders: Holders): Promise<void> => {
    const first = await release(word * IDS_A_WORD, holders)
    const used = await release(word++ * IDS_A_WORD + 1, holders)
    const gas = [used, first].map((sent) => sent.gas.toLocaleString('en-US').padStart(10)).join(' ')
    console.log(`${`${what}, ${holders.who}`.padEnd(44)} ${gas} ${used.calldata.toString().padStart(8)} B`)
  }
  if (name === '21 keys') for (const holders of HOLDERS) await both('light', light, holders)
  for (const holders of HOLDERS) await both(`hard, ${name}`, hard, holders)
  const { submitRoot } = await proofOf(word * IDS_A_WORD, HOLDERS[0])
  const { gas, calldata } = await anvil.send(lightClient, 'submitRoot', ...rootArguments(submitRoot))
  const figure = gas.toLocaleString('en-US').padStart(10)
  console.log(
    `${`submitRoot alone, ${name}`.padEnd(44)} ${figure} ${' '.repeat(10)} ${calldata.toString().padStart(8)} B`,
  )
}
