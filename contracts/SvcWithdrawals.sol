// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Digests} from "./lib/Digests.sol";
import {LittleEndian} from "./lib/LittleEndian.sol";
import {Merkle} from "./lib/Merkle.sol";
import {Finality, ISvcLightClient, ISvcVault, Pending, ReleaseProof} from "./Types.sol";

/// Releases withdrawals that were burned on the ledger's chain, each once, to the recipient that the burn named. Anyone
/// may send the proof. The contract rebuilds the `wdlog` action from the proof's members and checks that the action is
/// in a block under a root that the light client trusts.
contract SvcWithdrawals {
    event Released(uint64 indexed id, address indexed token, address indexed to, uint64 amount, bytes memo);
    event Expired(uint64 indexed id);

    error ActionNotInBlock();
    error AmountOverflow();
    error BeforeDeadline();
    error BlockNotInRoot();
    error FeeExceedsAmount();
    error PastDeadline();
    error UntrustedRoot();
    error WrongDomain();

    /// The largest amount of an Antelope asset.
    uint64 private constant MAX_AMOUNT = (1 << 62) - 1;

    ISvcLightClient public immutable lightClient;
    ISvcVault public immutable vault;
    /// Names of the ledger account, its log action, and the permission that authorises the action.
    uint64 public immutable bridgeAccount;
    uint64 public immutable logAction;
    uint64 public immutable activePerm;
    /// Domain of this chain: its chain id.
    uint64 public immutable domain;
    /// Hash of the action's account, name and authorisation.
    bytes32 private immutable actionBase;

    constructor(address _lightClient, address _vault, uint64 _bridge, uint64 _log, uint64 _active) {
        lightClient = ISvcLightClient(_lightClient);
        vault = ISvcVault(_vault);
        bridgeAccount = _bridge;
        logAction = _log;
        activePerm = _active;
        domain = uint64(block.chainid);
        bytes8 account = LittleEndian.u64(_bridge);
        actionBase = sha256(
            abi.encodePacked(account, LittleEndian.u64(_log), uint8(1), account, LittleEndian.u64(_active))
        );
    }

    /// Pays a withdrawal out, until its deadline. The sender gets the withdrawal's fee.
    function release(ReleaseProof calldata p) external {
        _release(p);
    }

    /// Voids a withdrawal after its deadline: its owner gets the tokens back on the ledger's chain.
    function expire(ReleaseProof calldata p) external {
        _expire(p);
    }

    function submitAndRelease(
        Finality calldata f,
        bytes calldata bits,
        bytes calldata signature,
        bytes32[] calldata policyKeys,
        Pending calldata pending,
        ReleaseProof calldata p
    ) external {
        lightClient.submitRoot(f, bits, signature, policyKeys, pending);
        _release(p);
    }

    function submitAndExpire(
        Finality calldata f,
        bytes calldata bits,
        bytes calldata signature,
        bytes32[] calldata policyKeys,
        Pending calldata pending,
        ReleaseProof calldata p
    ) external {
        lightClient.submitRoot(f, bits, signature, policyKeys, pending);
        _expire(p);
    }

    function _release(ReleaseProof calldata p) private {
        if (block.timestamp > p.deadline) revert PastDeadline();
        _check(p);
        if (p.amount > MAX_AMOUNT) revert AmountOverflow();
        if (p.fee > p.amount) revert FeeExceedsAmount();
        vault.release(p.id, p.token, p.recipient, p.amount - p.fee, msg.sender, p.fee);
        emit Released(p.id, p.token, p.recipient, p.amount, p.memo);
    }

    function _expire(ReleaseProof calldata p) private {
        if (block.timestamp <= p.deadline) revert BeforeDeadline();
        _check(p);
        vault.voidWithdrawal(p.id);
        emit Expired(p.id);
    }

    /// Reverts unless the withdrawal is for this chain and its burn is in a final block.
    function _check(ReleaseProof calldata p) private view {
        if (p.domain != domain) revert WrongDomain();
        if (Merkle.climb(_actionDigest(p), p.actionSiblings, p.actionPath) != p.actionMroot) revert ActionNotInBlock();
        if (p.majorVersion != Digests.MAJOR || p.minorVersion != Digests.MINOR) revert BlockNotInRoot();
        bytes32 leaf = Digests.leaf(
            p.majorVersion,
            p.minorVersion,
            p.blockNum,
            p.timestamp,
            p.parentTimestamp,
            p.finalityDigest,
            p.actionMroot
        );
        if (Merkle.climb(leaf, p.treeSiblings, p.treePath) != p.finalityMroot) revert BlockNotInRoot();
        if (lightClient.roots(p.finalityMroot) == 0) revert UntrustedRoot();
    }

    /// Leaf of the block's action tree: the action that the ledger must have logged for this vault, and its receipt.
    /// `witness` is the hash of the receipt's sequences, which a contract cannot compute.
    function _actionDigest(ReleaseProof calldata p) private view returns (bytes32) {
        bytes memory data = abi.encodePacked(
            LittleEndian.u64(p.id),
            LittleEndian.u64(p.domain),
            abi.encodePacked(uint8(20), address(vault), uint8(20), p.token, uint8(20), p.recipient),
            LittleEndian.u64(p.amount),
            LittleEndian.u64(p.deadline),
            LittleEndian.u64(p.fee),
            LittleEndian.varuint(p.memo.length),
            p.memo
        );
        // The action returns nothing.
        bytes32 payload = sha256(abi.encodePacked(LittleEndian.varuint(data.length), data, uint8(0)));
        bytes8 account = LittleEndian.u64(bridgeAccount);
        return sha256(
            abi.encodePacked(
                account,
                LittleEndian.u64(p.recvSequence),
                account,
                LittleEndian.u64(logAction),
                sha256(abi.encodePacked(actionBase, payload)),
                p.witness
            )
        );
    }
}
