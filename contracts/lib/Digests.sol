// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Finality} from "../Types.sol";
import {LittleEndian} from "./LittleEndian.sol";

/// Digests of Savanna, protocol version 1.0.
library Digests {
    uint32 internal constant MAJOR = 1;
    uint32 internal constant MINOR = 0;

    function level2(bytes32 policyDigest, uint32 policyStart, bytes32 level3) internal pure returns (bytes32) {
        return sha256(abi.encodePacked(policyDigest, LittleEndian.u32(policyStart), level3));
    }

    function finality(
        uint32 major,
        uint32 minor,
        uint32 active,
        uint32 lastPending,
        bytes32 mroot,
        bytes32 level2Digest
    ) internal pure returns (bytes32) {
        return sha256(
            abi.encodePacked(
                LittleEndian.u32(major),
                LittleEndian.u32(minor),
                LittleEndian.u32(active),
                LittleEndian.u32(lastPending),
                mroot,
                level2Digest
            )
        );
    }

    /// The message of a strong vote.
    function finality(Finality calldata f) internal pure returns (bytes32) {
        bytes32 level3 = sha256(
            abi.encodePacked(
                f.reversibleBlocksMroot,
                LittleEndian.u32(f.qcClaimBlockNum),
                f.qcClaimFinalityDigest,
                LittleEndian.u32(f.qcClaimTimestamp),
                LittleEndian.u32(f.timestamp),
                f.baseDigest
            )
        );
        return finality(
            f.majorVersion,
            f.minorVersion,
            f.activeGeneration,
            f.lastPendingGeneration,
            f.finalityMroot,
            level2(f.lastPendingPolicyDigest, f.lastPendingPolicyStart, level3)
        );
    }

    /// Leaf of the finality tree.
    function leaf(
        uint32 major,
        uint32 minor,
        uint32 blockNum,
        uint32 timestamp,
        uint32 parentTimestamp,
        bytes32 finalityDigest,
        bytes32 actionMroot
    ) internal pure returns (bytes32) {
        return sha256(
            abi.encodePacked(
                LittleEndian.u32(major),
                LittleEndian.u32(minor),
                LittleEndian.u32(blockNum),
                LittleEndian.u32(timestamp),
                LittleEndian.u32(parentTimestamp),
                finalityDigest,
                actionMroot
            )
        );
    }
}
