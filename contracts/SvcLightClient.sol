// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Bls} from "./lib/Bls.sol";
import {Digests} from "./lib/Digests.sol";
import {Merkle} from "./lib/Merkle.sol";
import {PackedPolicy, Voters} from "./lib/Voters.sol";
import {Finality, Handoff, ISvcLightClient, Pending} from "./Types.sol";

/// Follows the finality of a Savanna chain. Stores roots of its finality tree that a strong quorum of its finalizers
/// has signed, and learns finalizer policies from final blocks. Anyone may call it; it has no owner. It does not depend
/// on the bridge. Layouts and reasons: docs/bridge/proofs.md.
contract SvcLightClient is ISvcLightClient {
    /// A root that covers all blocks up to `lastBlock` is trusted from now on.
    event RootStored(bytes32 indexed root, uint32 lastBlock, uint32 timestamp, uint32 generation);
    /// Certificates of this generation can be checked from now on.
    event PolicyLearned(uint32 indexed generation, bytes32 digest, uint64 threshold, uint32 finalizers);

    /// The protocol version has other digests than this contract computes.
    error UnsupportedVersion();
    /// The generation has not been learned, or a newer generation has already signed a stored root.
    error UnknownPolicy(uint32 generation);
    /// The keys differ from the policy's.
    error WrongKeys();
    /// The weight of the strong votes is below the threshold.
    error NoQuorum(uint256 weight, uint256 threshold);
    /// Not the policy that the block commits to, or a policy although the block has none pending.
    error WrongPendingPolicy();
    /// The tree is still empty: nothing can be proved from it.
    error EmptyRoot();
    /// A policy is learned from a block under a stored root.
    error RootNotStored();
    /// The path from the block does not end at the root.
    error BlockNotUnderRoot();
    /// The policy is not newer than the newest known one.
    error PolicyIsOld(uint32 generation);

    struct Policy {
        uint64 threshold;
        uint32 finalizers;
        /// Weight of each finalizer; 0 when weights differ (see `weights`).
        uint64 weight;
        /// keccak256 of the keys, 128 bytes each.
        bytes32 keys;
    }

    /// Policies by generation.
    mapping(uint32 => Policy) public policies;
    /// Weights by generation, eight bytes each, big-endian, for policies whose finalizers' weights differ.
    mapping(uint32 => bytes) public weights;
    /// The last block under each trusted root; 0 for a root that is not trusted.
    mapping(bytes32 => uint32) public roots;
    /// The oldest generation whose signatures are accepted: the newest one that has signed a stored root.
    uint32 public generation;
    /// The newest learned generation.
    uint32 public newest;

    /// @param policy  packed finalizer policy that is active on the chain: the only input that must be trusted
    constructor(bytes memory policy) {
        (uint32 first, Voters memory voters) = PackedPolicy.read(policy);
        _keep(first, voters, sha256(policy));
        generation = first;
    }

    /// Stores `f.finalityMroot` if the active policy of the signed block has signed `f` strongly and, when another
    /// policy is pending there, that policy has too. Then every block under the root is final: the signed block claims
    /// a certificate on the last block under the root, and now has a strong one itself. A stored root is not checked
    /// again.
    function submitRoot(
        Finality calldata f,
        bytes calldata bits,
        bytes calldata signature,
        bytes32[] calldata policyKeys,
        Pending calldata pending
    ) public {
        bytes32 root = f.finalityMroot;
        if (roots[root] != 0) return;
        if (f.majorVersion != Digests.MAJOR || f.minorVersion != Digests.MINOR) revert UnsupportedVersion();
        if (root == 0 || f.qcClaimBlockNum == 0) revert EmptyRoot();
        bytes memory pairs = Bls.buffer();
        _vote(pairs, _voters(f.activeGeneration, policyKeys), bits, signature);
        if (f.lastPendingGeneration != f.activeGeneration) {
            _vote(pairs, _pendingVoters(f, pending.policy), pending.bits, pending.signature);
        } else if (pending.policy.length + pending.bits.length + pending.signature.length != 0) {
            revert WrongPendingPolicy();
        }
        Bls.check(pairs, Digests.finality(f));
        if (f.activeGeneration != generation) generation = f.activeGeneration;
        roots[root] = f.qcClaimBlockNum;
        emit RootStored(root, f.qcClaimBlockNum, f.timestamp, f.activeGeneration);
    }

    /// Learns the last pending policy of a block under a stored root. That block is final, so that every block of a
    /// later generation descends from it. A block that only has a certificate would not do: it may still be orphaned,
    /// and another branch may give the same generation to another policy.
    function learn(Handoff calldata h) public {
        if (h.majorVersion != Digests.MAJOR || h.minorVersion != Digests.MINOR) revert UnsupportedVersion();
        if (roots[h.finalityMroot] == 0) revert RootNotStored();
        if (Merkle.climb(_leaf(h), h.treeSiblings, h.treePath) != h.finalityMroot) revert BlockNotUnderRoot();
        (uint32 next, Voters memory voters) = PackedPolicy.read(h.policy);
        if (next != h.lastPendingGeneration) revert WrongPendingPolicy();
        if (next <= newest) revert PolicyIsOld(next);
        _keep(next, voters, sha256(h.policy));
    }

    /// Submits a root and learns a policy in one transaction, from the first root over the block where it became
    /// pending.
    function submitAndLearn(
        Finality calldata f,
        bytes calldata bits,
        bytes calldata signature,
        bytes32[] calldata policyKeys,
        Pending calldata pending,
        Handoff calldata h
    ) external {
        submitRoot(f, bits, signature, policyKeys, pending);
        learn(h);
    }

    function _leaf(Handoff calldata h) private pure returns (bytes32) {
        bytes32 level2 = Digests.level2(sha256(h.policy), h.lastPendingPolicyStart, h.level3Digest);
        bytes32 digest = Digests.finality(
            h.majorVersion,
            h.minorVersion,
            h.activeGeneration,
            h.lastPendingGeneration,
            h.blockFinalityMroot,
            level2
        );
        return Digests.leaf(
            h.majorVersion, h.minorVersion, h.blockNum, h.timestamp, h.parentTimestamp, digest, h.actionMroot
        );
    }

    function _keep(uint32 number, Voters memory voters, bytes32 digest) private {
        bool alike = voters.weights.length == 0;
        policies[number] =
            Policy(voters.threshold, voters.count, alike ? voters.weight : 0, keccak256(voters.keys));
        if (!alike) weights[number] = voters.weights;
        newest = number;
        emit PolicyLearned(number, digest, voters.threshold, voters.count);
    }

    /// Adds the strong votes of one policy to the input of the pairing.
    function _vote(bytes memory pairs, Voters memory voters, bytes calldata bits, bytes calldata signature)
        private
        view
    {
        uint256 weight = Bls.addVoters(pairs, voters, bits);
        if (weight < voters.threshold) revert NoQuorum(weight, voters.threshold);
        Bls.addSignature(pairs, signature);
    }

    function _voters(uint32 number, bytes32[] calldata policyKeys) private view returns (Voters memory voters) {
        Policy storage policy = policies[number];
        (voters.threshold, voters.count, voters.weight) = (policy.threshold, policy.finalizers, policy.weight);
        if (voters.threshold == 0 || number < generation) revert UnknownPolicy(number);
        if (voters.weight == 0) voters.weights = weights[number];
        uint256 size = policyKeys.length * 32;
        bytes memory keys = new bytes(size);
        assembly ("memory-safe") {
            calldatacopy(add(keys, 32), policyKeys.offset, size)
        }
        if (size != uint256(voters.count) * 128 || keccak256(keys) != policy.keys) revert WrongKeys();
        voters.keys = keys;
    }

    function _pendingVoters(Finality calldata f, bytes calldata policy) private pure returns (Voters memory voters) {
        if (sha256(policy) != f.lastPendingPolicyDigest) revert WrongPendingPolicy();
        uint32 number;
        (number, voters) = PackedPolicy.read(policy);
        if (number != f.lastPendingGeneration) revert WrongPendingPolicy();
    }
}
