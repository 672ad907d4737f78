// Arguments of the calls that prove something to the EVM contracts. Their proofs prove nothing.

export const TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
export const OWNER = '0xdf37f81daad2b0327a0a50003740e1c935c70913'
/** Bytes of an arbitrary value. */
export const hex = (bytes: number) => `0x${'5a'.repeat(bytes)}`

export const release = {
  id: '77',
  domain: '1',
  token: TOKEN,
  recipient: OWNER,
  amount: '18446744073709551615',
  deadline: '1763769600',
  fee: '0',
  memo: hex(45),
  recvSequence: '12',
  witness: hex(32),
  actionSiblings: [hex(32), hex(32), hex(32)],
  actionPath: (2n ** 255n).toString(),
  actionMroot: hex(32),
  majorVersion: 1,
  minorVersion: 0,
  blockNum: 400_000_001,
  timestamp: 3,
  parentTimestamp: 2,
  finalityDigest: hex(32),
  treeSiblings: [],
  treePath: '0',
  finalityMroot: hex(32),
}
export const root = {
  finality: {
    majorVersion: 1,
    minorVersion: 0,
    activeGeneration: 2,
    lastPendingGeneration: 3,
    finalityMroot: hex(32),
    lastPendingPolicyDigest: hex(32),
    lastPendingPolicyStart: 9,
    reversibleBlocksMroot: hex(32),
    qcClaimBlockNum: 8,
    qcClaimFinalityDigest: hex(32),
    qcClaimTimestamp: 7,
    timestamp: 6,
    baseDigest: hex(32),
  },
  bits: '0x07',
  signature: hex(256),
  policyKeys: [hex(32), hex(32), hex(32), hex(32)],
  pending: { policy: '0x', bits: '0x', signature: '0x' },
}
export const learn = {
  majorVersion: 1,
  minorVersion: 0,
  blockNum: 5,
  timestamp: 4,
  parentTimestamp: 3,
  activeGeneration: 2,
  lastPendingGeneration: 2,
  blockFinalityMroot: hex(32),
  lastPendingPolicyStart: 1,
  level3Digest: hex(32),
  actionMroot: hex(32),
  treeSiblings: [hex(32)],
  treePath: '1',
  finalityMroot: hex(32),
  policy: hex(99),
}
