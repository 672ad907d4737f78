// Calls and the event of the bridge's EVM contracts that the page uses.
import { sameAddress } from '../parties.ts'
import { type AbiMember, encodeCall, topicOf, words } from './abi.ts'

/** A transaction for a wallet to send. */
export interface EvmCall {
  to: string
  data: string
  /** Wei. */
  value: bigint
}

const struct = (text: string): AbiMember[] =>
  text.split(', ').map((member) => {
    const [type = '', name = ''] = member.split(' ')
    return { type, name }
  })

const RELEASE = struct(
  'uint64 id, uint64 domain, address token, address recipient, uint64 amount, uint64 deadline, uint64 fee, bytes memo, ' +
    'uint64 recvSequence, bytes32 witness, bytes32[] actionSiblings, uint256 actionPath, bytes32 actionMroot, ' +
    'uint32 majorVersion, uint32 minorVersion, uint32 blockNum, uint32 timestamp, uint32 parentTimestamp, ' +
    'bytes32 finalityDigest, bytes32[] treeSiblings, uint256 treePath, bytes32 finalityMroot',
)
const FINALITY = struct(
  'uint32 majorVersion, uint32 minorVersion, uint32 activeGeneration, uint32 lastPendingGeneration, ' +
    'bytes32 finalityMroot, bytes32 lastPendingPolicyDigest, uint32 lastPendingPolicyStart, ' +
    'bytes32 reversibleBlocksMroot, uint32 qcClaimBlockNum, bytes32 qcClaimFinalityDigest, uint32 qcClaimTimestamp, ' +
    'uint32 timestamp, bytes32 baseDigest',
)
const PENDING = struct('bytes policy, bytes bits, bytes signature')
const HANDOFF = struct(
  'uint32 majorVersion, uint32 minorVersion, uint32 blockNum, uint32 timestamp, uint32 parentTimestamp, ' +
    'uint32 activeGeneration, uint32 lastPendingGeneration, bytes32 blockFinalityMroot, uint32 lastPendingPolicyStart, ' +
    'bytes32 level3Digest, bytes32 actionMroot, bytes32[] treeSiblings, uint256 treePath, bytes32 finalityMroot, bytes policy',
)
const ROOT = [FINALITY, 'bytes', 'bytes', 'bytes32[]', PENDING]

/** Arguments that make a root trusted, as given by the bridge API. */
export interface SubmitRoot {
  finality: object
  bits: string
  signature: string
  policyKeys: readonly string[]
  pending: object
}

const rootValues = ({ finality, bits, signature, policyKeys, pending }: SubmitRoot): unknown[] => [
  finality,
  bits,
  signature,
  policyKeys,
  pending,
]

const call = (to: string, data: string, value = 0n): EvmCall => ({ to, data, value })

export function approve(token: string, spender: string, amount: bigint): EvmCall {
  return call(token, encodeCall('approve', ['address', 'uint256'], [spender, amount]))
}

export function allowance(token: string, owner: string, spender: string): EvmCall {
  return call(token, encodeCall('allowance', ['address', 'address'], [owner, spender]))
}

export function balanceOf(token: string, owner: string): EvmCall {
  return call(token, encodeCall('balanceOf', ['address'], [owner]))
}

/** The vault's terms of a token: scale, minimum deposit, whether it is accepted, cap. */
export function assets(vault: string, token: string): EvmCall {
  return call(vault, encodeCall('assets', ['address'], [token]))
}

/** The domain of a withdrawals contract. */
export function domainOf(contract: string): EvmCall {
  return call(contract, encodeCall('domain', [], []))
}

export interface DepositTerms {
  vault: string
  token: string
  /** Raw units. */
  amount: bigint
  /** Account of the ledger's chain, as 64 bits. */
  telosTo: bigint
  refundTo: string
  memo: string
}

const hexOfText = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Deposits an ERC-20 token. Fill fee and filler are reserved. */
export function deposit({ vault, token, amount, telosTo, refundTo, memo }: DepositTerms): EvmCall {
  const types = ['address', 'uint256', 'uint64', 'address', 'uint64', 'uint64', 'bytes']
  const values = [token, amount, telosTo, refundTo, 0, 0, hexOfText(memo)]
  return call(vault, encodeCall('deposit', types, values))
}

/** Deposits the chain's own coin. */
export function depositNative({ vault, amount, telosTo, refundTo, memo }: DepositTerms): EvmCall {
  const types = ['uint64', 'address', 'uint64', 'uint64', 'bytes']
  return call(vault, encodeCall('depositNative', types, [telosTo, refundTo, 0, 0, hexOfText(memo)]), amount)
}

/** Releases with a proof under a root that the light client already trusts. */
export function release(contract: string, proof: object): EvmCall {
  return call(contract, encodeCall('release', [RELEASE], [proof]))
}

export function expire(contract: string, proof: object): EvmCall {
  return call(contract, encodeCall('expire', [RELEASE], [proof]))
}

/** Submits the root and releases in one call. */
export function submitAndRelease(contract: string, root: SubmitRoot, proof: object): EvmCall {
  return call(contract, encodeCall('submitAndRelease', [...ROOT, RELEASE], [...rootValues(root), proof]))
}

export function submitAndExpire(contract: string, root: SubmitRoot, proof: object): EvmCall {
  return call(contract, encodeCall('submitAndExpire', [...ROOT, RELEASE], [...rootValues(root), proof]))
}

/** Submits a root and a change of finalizers to the light client. */
export function submitAndLearn(lightClient: string, root: SubmitRoot, learn: object): EvmCall {
  return call(lightClient, encodeCall('submitAndLearn', [...ROOT, HANDOFF], [...rootValues(root), learn]))
}

const DEPOSIT_TOPIC = topicOf('Deposit(address,address,uint256,uint64,uint64,uint64,address,uint64,uint64,bytes)')

export interface EvmLog {
  address: string
  topics: readonly string[]
  data: string
}

/** Nonce of the deposit in a transaction's logs; null when the vault logged none. */
export function depositNonce(logs: readonly EvmLog[], vault: string): bigint | null {
  for (const { address, topics, data } of logs) {
    if (!sameAddress(address, vault) || topics[0] !== DEPOSIT_TOPIC) continue
    const nonce = words(data, 4)?.[3]
    if (nonce !== undefined) return nonce
  }
  return null
}
