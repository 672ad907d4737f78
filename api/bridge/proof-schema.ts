// Schemas of the proofs that `proofs/json.ts` makes. Members have the order of the contracts' structs: the serializer
// writes them in the order of the schema.
import { Type } from 'typebox'

const Hex = Type.String({ description: '0x and hexadecimal digits.' })
const Wide = Type.String({ description: 'An unsigned integer: decimal digits.' })
/** At most 32 bits: exact as a number. */
const Small = Type.Number()
const Hashes = Type.Array(Hex)

/** 20 bytes on an EVM chain; the bytes of a name on an Antelope chain. */
const Party = Type.String({
  description: '0x and hexadecimal digits: an address, or on an Antelope chain the bytes of a name.',
})

const Release = Type.Object(
  {
    id: Wide,
    domain: Wide,
    token: Party,
    recipient: Party,
    amount: Wide,
    deadline: Wide,
    fee: Wide,
    memo: Hex,
    recvSequence: Wide,
    witness: Hex,
    actionSiblings: Hashes,
    actionPath: Wide,
    actionMroot: Hex,
    majorVersion: Small,
    minorVersion: Small,
    blockNum: Small,
    timestamp: Small,
    parentTimestamp: Small,
    finalityDigest: Hex,
    treeSiblings: Hashes,
    treePath: Wide,
    finalityMroot: Hex,
  },
  { description: 'Argument of `release` or `expire`.' },
)

const SubmitRoot = Type.Object(
  {
    finality: Type.Object({
      majorVersion: Small,
      minorVersion: Small,
      activeGeneration: Small,
      lastPendingGeneration: Small,
      finalityMroot: Hex,
      lastPendingPolicyDigest: Hex,
      lastPendingPolicyStart: Small,
      reversibleBlocksMroot: Hex,
      qcClaimBlockNum: Small,
      qcClaimFinalityDigest: Hex,
      qcClaimTimestamp: Small,
      timestamp: Small,
      baseDigest: Hex,
    }),
    bits: Hex,
    signature: Hex,
    policyKeys: Hashes,
    pending: Type.Object({ policy: Hex, bits: Hex, signature: Hex }),
  },
  { description: 'Arguments that make a root trusted.' },
)

const Learn = Type.Object({
  majorVersion: Small,
  minorVersion: Small,
  blockNum: Small,
  timestamp: Small,
  parentTimestamp: Small,
  activeGeneration: Small,
  lastPendingGeneration: Small,
  blockFinalityMroot: Hex,
  lastPendingPolicyStart: Small,
  level3Digest: Hex,
  actionMroot: Hex,
  treeSiblings: Hashes,
  treePath: Wide,
  finalityMroot: Hex,
  policy: Hex,
})

const Handoff = Type.Object({ submitRoot: SubmitRoot, learn: Learn })

const target = {
  releaseTo: Type.Union([Type.String(), Type.Null()], {
    description: 'Contract to call; null if none is known, and on an Antelope chain: there the relayer pays.',
  }),
  vault: Type.String({ description: 'Address of the vault; on an Antelope chain the account that pays.' }),
  release: Release,
}

export const WithdrawalProofAnswer = Type.Object(
  {
    track: Type.Enum(['light', 'hard'], { description: 'The one to send: `light` if it is not null.' }),
    light: Type.Union([Type.Object(target), Type.Null()], {
      description: 'Null while no stored root covers the burn.',
    }),
    hard: Type.Object({
      ...target,
      submitRoot: SubmitRoot,
      lightClient: Type.Union([Type.String(), Type.Null()], { description: 'Address; null if it is not known.' }),
      handoffs: Type.Array(Handoff, {
        description: 'Policies that the light client must learn first, in this order.',
      }),
    }),
  },
  { description: 'Proof of a withdrawal.' },
)

export const HandoffsAnswer = Type.Object(
  {
    lightClients: Type.Array(
      Type.Object({
        lightClient: Type.String({ description: 'Address.' }),
        newest: Type.Union([Type.Number(), Type.Null()], {
          description: 'The newest generation that it has learned; null if its events are not indexed.',
        }),
        handoffs: Type.Array(Handoff, {
          description: 'What it can learn now, in this order: usually nothing, at most the first 16.',
        }),
      }),
    ),
  },
  { description: 'Hand-offs that light clients can learn, whether or not a withdrawal needs them.' },
)

export const DepositActions = Type.Array(Type.Record(Type.String(), Type.Any()), {
  description: 'Proof of a deposit: the actions that credit it, in this order.',
})
