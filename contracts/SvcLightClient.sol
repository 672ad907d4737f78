// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Bls} from "./lib/Bls.sol";
import {Digests} from "./lib/Digests.sol";
import {Merkle} from "./lib/Merkle.sol";
import {PackedPolicy, Voters} from "./lib/Voters.sol";
import {Finality, Handoff, ISvcLightClient, Pending} from "./Types.sol";

/// Follows the finality of a Savanna chain: keeps roots of its finality tree that a strong quorum of its finalizers has
/// signed, and learns finalizer policies from final blocks. Anyone may call it; nobody owns it. Knows nothing of the
/// bridge. Layouts and reasons: docs/bridge/proofs.md.
contract SvcLightClient is ISvcLightClient {
    /// A root that covers all blocks up to `lastBlock` is trusted from now on.
    event RootStored(bytes32 indexed root, uint32 lastBlock, uint32 timestamp, uint32 generation);
    /// Certificates of this generation can be checked from now on.
    event PolicyLearned(uint32 indexed generation, bytes32 digest, uint64 threshold, uint32 finalizers);

    /// The protocol version has digests that this contract does not know.
    error UnsupportedVersion();
    /// The generation has not been learned, or a newer one has signed already.
    error UnknownPolicy(uint32 generation);
    /// The keys are not those of the policy.
    error WrongKeys();
    /// The strong votes do not make a quorum.
    error NoQuorum(uint256 weight, uint256 threshold);
    /// Not the policy that the block commits to, or one where none belongs.
    error WrongPendingPolicy();
    /// The tree is still empty: nothing can be proved from it.
    error EmptyRoot();
    /// A policy is learned from a block under a stored root.
    error RootNotStored();
    /// The block does not lead to the root.
    error BlockNotUnderRoot();
    /// The policy is not newer than the ones that are known.
    error PolicyIsOld(uint32 generation);

    struct Policy {
        uint64 threshold;
        uint32 finalizers;
        /// Of each finalizer; 0 when they differ (`weights`).
        uint64 weight;
        /// keccak256 of the keys, 128 bytes each.
        bytes32 keys;
    }

    /// By generation.
    mapping(uint32 => Policy) public policies;
    /// Eight bytes a finalizer, big-endian, of policies whose finalizers' weights differ.
    mapping(uint32 => bytes) public weights;
    /// The last block that a trusted root covers; 0 when it is not trusted.
    mapping(bytes32 => uint32) public roots;
    /// The oldest generation whose signatures count: the newest that has signed a stored root.
    uint32 public generation;
    /// The newest generation that has been learned.
    uint32 public newest;

    /// @param policy  packed finalizer policy that is active on the chain: the one thing to take on trust
    constructor(bytes memory policy) {
        (uint32 first, Voters memory voters) = PackedPolicy.read(policy);
        _keep(first, voters, sha256(policy));
        generation = first;
    }

    /// Stores `f.finalityMroot` when the active policy of the signed block has signed `f` strongly and, if another one
    /// is pending there, that one has too. Then every block under the root is final: the signed block claims a
    /// certificate on the last block under it, and now has a strong one itself. Does nothing for a root that is stored.
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

    /// Learns the last pending policy of a block under a stored root. That block is final, so that every block of a later
    /// generation descends from it. Nothing less will do: a block with a certificate may still be orphaned, and another
    /// branch may give the same generation to another policy.
    function learn(Handoff calldata h) public {
        if (h.majorVersion != Digests.MAJOR || h.minorVersion != Digests.MINOR) revert UnsupportedVersion();
        if (roots[h.finalityMroot] == 0) revert RootNotStored();
        if (Merkle.climb(_leaf(h), h.treeSiblings, h.treePath) != h.finalityMroot) revert BlockNotUnderRoot();
        (uint32 next, Voters memory voters) = PackedPolicy.read(h.policy);
        if (next != h.lastPendingGeneration) revert WrongPendingPolicy();
        if (next <= newest) revert PolicyIsOld(next);
        _keep(next, voters, sha256(h.policy));
    }

    /// Both in one transaction: a policy is learned from the first root that covers the block in which it became pending.
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

    /// Adds the strong votes of one policy to what the pairing will check.
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
