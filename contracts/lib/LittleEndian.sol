// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Packs integers as Antelope does.
library LittleEndian {
    function u32(uint32 value) internal pure returns (bytes4) {
        value = ((value & 0xff00ff00) >> 8) | ((value & 0x00ff00ff) << 8);
        return bytes4((value >> 16) | (value << 16));
    }

    function u64(uint64 value) internal pure returns (bytes8) {
        value = ((value & 0xff00ff00ff00ff00) >> 8) | ((value & 0x00ff00ff00ff00ff) << 8);
        value = ((value & 0xffff0000ffff0000) >> 16) | ((value & 0x0000ffff0000ffff) << 16);
        return bytes8((value >> 32) | (value << 32));
    }

    /// A varuint: seven bits in each byte, lowest first; bit 7 is set when more bytes follow.
    function varuint(uint256 value) internal pure returns (bytes memory packed) {
        while (value > 0x7f) {
            packed = bytes.concat(packed, bytes1(uint8(value) | 0x80));
            value >>= 7;
        }
        packed = bytes.concat(packed, bytes1(uint8(value)));
    }

    /// Reverses the 32 bytes of a word.
    function reversed(uint256 word) internal pure returns (uint256) {
        uint256 mask = 0x00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff;
        word = ((word >> 8) & mask) | ((word & mask) << 8);
        mask = 0x0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff;
        word = ((word >> 16) & mask) | ((word & mask) << 16);
        mask = 0x00000000ffffffff00000000ffffffff00000000ffffffff00000000ffffffff;
        word = ((word >> 32) & mask) | ((word & mask) << 32);
        mask = 0x0000000000000000ffffffffffffffff0000000000000000ffffffffffffffff;
        word = ((word >> 64) & mask) | ((word & mask) << 64);
        return (word >> 128) | (word << 128);
    }
}
