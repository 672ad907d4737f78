// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Members of proofs. Names, order and types follow the published ABI. Integers that Antelope's digests pack in
// little-endian order are plain numbers here.

/// A withdrawal with the path from its `wdlog` action to a root of the finality tree.
struct ReleaseProof {
    uint64 id;
    uint64 domain;
    address token;
    address recipient;
    uint64 amount;
    uint64 deadline;
    uint64 fee;
    bytes memo;
    uint64 recvSequence;
    bytes32 witness;
    bytes32[] actionSiblings;
    uint256 actionPath;
    bytes32 actionMroot;
    uint32 majorVersion;
    uint32 minorVersion;
    uint32 blockNum;
    uint32 timestamp;
    uint32 parentTimestamp;
    bytes32 finalityDigest;
    bytes32[] treeSiblings;
    uint256 treePath;
    bytes32 finalityMroot;
}

/// The data that finalizers sign with a strong vote for a block.
struct Finality {
    uint32 majorVersion;
    uint32 minorVersion;
    uint32 activeGeneration;
    uint32 lastPendingGeneration;
    bytes32 finalityMroot;
    bytes32 lastPendingPolicyDigest;
    uint32 lastPendingPolicyStart;
    bytes32 reversibleBlocksMroot;
    uint32 qcClaimBlockNum;
    bytes32 qcClaimFinalityDigest;
    uint32 qcClaimTimestamp;
    uint32 timestamp;
    bytes32 baseDigest;
}

/// The pending policy's part of a joint certificate; all three members are empty when no policy is pending.
struct Pending {
    bytes policy;
    bytes bits;
    bytes signature;
}

/// A final block in which a policy is the last pending one, with the path from that block to a root.
struct Handoff {
    uint32 majorVersion;
    uint32 minorVersion;
    uint32 blockNum;
    uint32 timestamp;
    uint32 parentTimestamp;
    uint32 activeGeneration;
    uint32 lastPendingGeneration;
    bytes32 blockFinalityMroot;
    uint32 lastPendingPolicyStart;
    bytes32 level3Digest;
    bytes32 actionMroot;
    bytes32[] treeSiblings;
    uint256 treePath;
    bytes32 finalityMroot;
    bytes policy;
}

interface ISvcLightClient {
    function roots(bytes32 root) external view returns (uint32 lastBlock);

    function submitRoot(
        Finality calldata f,
        bytes calldata bits,
        bytes calldata signature,
        bytes32[] calldata policyKeys,
        Pending calldata pending
    ) external;
}

interface ISvcVault {
    function release(uint64 id, address token, address to, uint64 amount, address feeTo, uint64 fee) external;

    function voidWithdrawal(uint64 id) external;
}
