// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Voters} from "./Voters.sol";

error InvalidBits();
error InvalidSignature();

/// Checks votes of finalizers with the precompiles of EIP-2537: keys in G1, signatures in G2, messages hashed to G2
/// by BLS12381G2_XMD:SHA-256_SSWU_RO. Works on one buffer, the input of the pairing:
///   0 sum of the keys, 128 hashed message, 384 negated generator of G1, 512 signature
library Bls {
    uint256 private constant SIZE = 768;
    /// The domain separation tag of votes, followed by its length: 44 bytes.
    uint256 private constant TAG_0 = 0x424c535f5349475f424c53313233383147325f584d443a5348412d3235365f53;
    uint256 private constant TAG_1 = 0x5357555f524f5f4e554c5f2b0000000000000000000000000000000000000000;
    uint256 private constant MODULUS_0 = 0x1a0111ea397fe69a4b1ba7b6434bacd7;
    uint256 private constant MODULUS_1 = 0x64774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab;

    function buffer() internal pure returns (bytes memory) {
        return new bytes(SIZE);
    }

    /// Adds the keys of the finalizers that voted and returns their weight. Bit i & 7 of byte i >> 3 is finalizer i.
    function addVoters(bytes memory pairs, Voters memory voters, bytes calldata bits)
        internal
        view
        returns (uint256 total)
    {
        uint256 count = voters.count;
        if (bits.length != (count + 7) >> 3) revert InvalidBits();
        if (count & 7 != 0 && uint8(bits[bits.length - 1]) >> (count & 7) != 0) revert InvalidBits();
        bytes memory keys = voters.keys;
        bytes memory weights = voters.weights;
        uint256 weight = voters.weight;
        bool failed;
        assembly ("memory-safe") {
            let sum := add(pairs, 32)
            for { let i := 0 } lt(i, count) { i := add(i, 1) } {
                let vote := shr(and(i, 7), byte(0, calldataload(add(bits.offset, shr(3, i)))))
                if iszero(and(vote, 1)) { continue }
                if mload(weights) { weight := shr(192, mload(add(add(weights, 32), shl(3, i)))) }
                total := add(total, weight)
                mcopy(add(sum, 128), add(add(keys, 32), shl(7, i)), 128)
                if iszero(staticcall(gas(), 0x0b, sum, 256, sum, 128)) { failed := 1 }
            }
        }
        if (failed) revert InvalidSignature();
    }

    /// Adds a signature: 256 bytes.
    function addSignature(bytes memory pairs, bytes calldata signature) internal view {
        if (signature.length != 256) revert InvalidSignature();
        bool ok;
        assembly ("memory-safe") {
            let sum := add(pairs, 544)
            let scratch := mload(0x40)
            mcopy(scratch, sum, 256)
            calldatacopy(add(scratch, 256), signature.offset, 256)
            ok := staticcall(gas(), 0x0d, scratch, 512, sum, 256)
        }
        if (!ok) revert InvalidSignature();
    }

    /// Reverts unless every finalizer whose key was added has signed the message. Checks the sum of the added
    /// signatures against the sum of the keys. Keys are registered with proofs of possession, so that sum needs a
    /// signature of each.
    function check(bytes memory pairs, bytes32 message) internal view {
        _hash(pairs, message);
        bool ok;
        assembly ("memory-safe") {
            let pos := add(pairs, 32)
            // The negated generator.
            mstore(add(pos, 384), 0x17f1d3a73197d7942695638c4fa9ac0f)
            mstore(add(pos, 416), 0xc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb)
            mstore(add(pos, 448), 0x114d1d6855d545a8aa7d76c8cf2e21f2)
            mstore(add(pos, 480), 0x67816aef1db507c96655b9d5caac42364e6f38ba0ecb751bad54dcd6b939c2ca)
            // A sum of zero would pass with a signature of zero.
            if or(or(mload(pos), mload(add(pos, 32))), or(mload(add(pos, 64)), mload(add(pos, 96)))) {
                ok := staticcall(gas(), 0x0f, pos, SIZE, 0, 32)
                ok := and(ok, eq(mload(0), 1))
            }
        }
        if (!ok) revert InvalidSignature();
    }

    /// Hashes to G2 by RFC 9380: 256 bytes from the message, four field elements, two points, their sum.
    function _hash(bytes memory pairs, bytes32 message) private view {
        bool ok = true;
        assembly ("memory-safe") {
            let m := mload(0x40)
            let uniform := add(m, 256)
            let fields := add(m, 768)
            let points := add(m, 1024)
            // 64 zero bytes, message, length 256, zero, tag
            mstore(m, 0)
            mstore(add(m, 32), 0)
            mstore(add(m, 64), message)
            mstore(add(m, 96), shl(248, 1))
            mstore(add(m, 99), TAG_0)
            mstore(add(m, 131), TAG_1)
            ok := and(ok, staticcall(gas(), 2, m, 143, 0, 32))
            let first := mload(0)
            mstore(0, 0)
            mstore(add(m, 33), TAG_0)
            mstore(add(m, 65), TAG_1)
            for { let i := 1 } lt(i, 9) { i := add(i, 1) } {
                mstore(m, xor(first, mload(0)))
                mstore8(add(m, 32), i)
                ok := and(ok, staticcall(gas(), 2, m, 77, 0, 32))
                mstore(add(uniform, shl(5, sub(i, 1))), mload(0))
            }
            // Each 64 bytes, to the power of one, modulo the field's order.
            let power := add(m, 512)
            mstore(power, 64)
            mstore(add(power, 32), 1)
            mstore(add(power, 64), 64)
            mstore8(add(power, 160), 1)
            mstore(add(power, 161), MODULUS_0)
            mstore(add(power, 193), MODULUS_1)
            for { let i := 0 } lt(i, 256) { i := add(i, 64) } {
                mcopy(add(power, 96), add(uniform, i), 64)
                ok := and(ok, staticcall(gas(), 5, power, 225, add(fields, i), 64))
            }
            ok := and(ok, staticcall(gas(), 0x11, fields, 128, points, 256))
            ok := and(ok, staticcall(gas(), 0x11, add(fields, 128), 128, add(points, 256), 256))
            ok := and(ok, staticcall(gas(), 0x0d, points, 512, add(pairs, 160), 256))
        }
        if (!ok) revert InvalidSignature();
    }
}
