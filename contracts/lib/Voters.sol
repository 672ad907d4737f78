// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LittleEndian} from "./LittleEndian.sol";

/// Finalizers, their weights, and the threshold of a quorum.
struct Voters {
    uint64 threshold;
    uint32 count;
    /// Weight of every finalizer; unused when `weights` is not empty.
    uint64 weight;
    /// Eight bytes for each finalizer, big-endian; empty when all weights are equal.
    bytes weights;
    /// 128 bytes for each finalizer: a point of G1 as EIP-2537 encodes it.
    bytes keys;
}

error InvalidPolicy();

/// Reads a finalizer policy as Antelope packs it: generation u32, threshold u64, varuint n, then n times description
/// string, weight u64, varuint 96 and the key, affine with little-endian field elements.
library PackedPolicy {
    /// A finalizer without a description: length, weight, length, key.
    uint256 private constant LEAST_FINALIZER = 106;

    function read(bytes memory packed) internal pure returns (uint32 generation, Voters memory voters) {
        uint256 pos;
        uint256 word;
        (word, pos) = _uint(packed, pos, 4);
        generation = uint32(word);
        (word, pos) = _uint(packed, pos, 8);
        voters.threshold = uint64(word);
        (word, pos) = _varuint(packed, pos);
        if (word == 0 || word * LEAST_FINALIZER > packed.length) revert InvalidPolicy();
        voters.count = uint32(word);
        pos = _finalizers(packed, pos, voters);
        if (pos != packed.length) revert InvalidPolicy();
    }

    function _finalizers(bytes memory packed, uint256 pos, Voters memory voters) private pure returns (uint256) {
        bytes memory keys = new bytes(uint256(voters.count) * 128);
        bytes memory weights = new bytes(uint256(voters.count) * 8);
        uint256 sum;
        bool alike = true;
        for (uint256 i; i < voters.count; ++i) {
            uint256 length;
            (length, pos) = _varuint(packed, pos);
            uint256 weight;
            (weight, pos) = _uint(packed, pos + length, 8);
            (length, pos) = _varuint(packed, pos);
            if (length != 96 || pos + 96 > packed.length) revert InvalidPolicy();
            _key(packed, pos, keys, i);
            pos += 96;
            if (i == 0) voters.weight = uint64(weight);
            else if (weight != voters.weight) alike = false;
            sum += weight;
            assembly ("memory-safe") {
                // Writes 32 bytes, of which eight count; the next iteration overwrites the rest, or it is never read.
                let place := add(add(weights, 32), shl(3, i))
                mstore(place, or(shl(192, weight), and(mload(place), shr(64, not(0)))))
            }
        }
        if (voters.threshold > sum || uint256(voters.threshold) * 2 <= sum) revert InvalidPolicy();
        voters.keys = keys;
        if (!alike) voters.weights = weights;
        return pos;
    }

    /// Converts key i: x and y from 48 bytes, little-endian, to 64 bytes, big-endian.
    function _key(bytes memory packed, uint256 pos, bytes memory keys, uint256 i) private pure {
        for (uint256 half; half < 2; ++half) {
            uint256 low;
            uint256 high;
            assembly ("memory-safe") {
                let from := add(add(add(packed, 32), pos), mul(half, 48))
                low := mload(from)
                high := mload(add(from, 16))
            }
            low = LittleEndian.reversed(low);
            high = LittleEndian.reversed(high) >> 128;
            assembly ("memory-safe") {
                let to := add(add(add(keys, 32), shl(7, i)), shl(6, half))
                mstore(to, high)
                mstore(add(to, 32), low)
            }
        }
    }

    function _uint(bytes memory packed, uint256 pos, uint256 size) private pure returns (uint256 value, uint256 next) {
        next = pos + size;
        if (next > packed.length) revert InvalidPolicy();
        assembly ("memory-safe") {
            value := mload(add(add(packed, 32), pos))
        }
        value = LittleEndian.reversed(value) & ((1 << (size * 8)) - 1);
    }

    function _varuint(bytes memory packed, uint256 pos) private pure returns (uint256 value, uint256 next) {
        for (uint256 shift; shift < 35; shift += 7) {
            if (pos >= packed.length) revert InvalidPolicy();
            uint256 digit = uint8(packed[pos++]);
            value |= (digit & 0x7f) << shift;
            if (digit < 0x80) return (value, pos);
        }
        revert InvalidPolicy();
    }
}
