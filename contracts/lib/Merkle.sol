// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

error BranchTooLong();

/// Savanna trees: SHA-256 of two nodes, without side bits. Preimages of leaves are never 64 bytes long, so a leaf
/// cannot pass for a node, and the prover may choose siblings and sides without an index.
library Merkle {
    /// Longest path: trees count their leaves in 64 bits.
    uint256 private constant MAX_DEPTH = 64;

    /// Computes the root from a leaf and its siblings. Bit k of `path` is set when sibling k is on the left.
    function climb(bytes32 node, bytes32[] calldata siblings, uint256 path) internal view returns (bytes32) {
        if (siblings.length > MAX_DEPTH || path >> siblings.length != 0) revert BranchTooLong();
        assembly ("memory-safe") {
            let end := add(siblings.offset, shl(5, siblings.length))
            for { let pos := siblings.offset } lt(pos, end) { pos := add(pos, 32) } {
                let place := shl(5, and(path, 1))
                mstore(place, node)
                mstore(xor(place, 32), calldataload(pos))
                if iszero(staticcall(gas(), 2, 0, 64, 0, 32)) { revert(0, 0) }
                node := mload(0)
                path := shr(1, path)
            }
        }
        return node;
    }
}
