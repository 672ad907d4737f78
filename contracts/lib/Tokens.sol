// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IERC20 {
    function balanceOf(address account) external view returns (uint256);

    function transfer(address to, uint256 amount) external returns (bool);

    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

error NativeSendFailed();
error TransferFailed();

/// Transfers of ERC-20 tokens, also of those that return nothing, and of the chain's own coin (address zero).
library Tokens {
    function balance(address token) internal view returns (uint256) {
        return IERC20(token).balanceOf(address(this));
    }

    /// @param held  balance before; what arrives has to be the whole amount
    function take(address token, address from, uint256 amount, uint256 held) internal {
        _call(token, abi.encodeCall(IERC20.transferFrom, (from, address(this), amount)));
        if (balance(token) != held + amount) revert TransferFailed();
    }

    function send(address token, address to, uint256 amount) internal {
        if (token != address(0)) return _call(token, abi.encodeCall(IERC20.transfer, (to, amount)));
        bool ok;
        assembly ("memory-safe") {
            // What the receiver returns is not copied.
            ok := call(gas(), to, amount, 0, 0, 0, 0)
        }
        if (!ok) revert NativeSendFailed();
    }

    function _call(address token, bytes memory data) private {
        bool ok;
        assembly ("memory-safe") {
            mstore(0, 1)
            ok := call(gas(), token, 0, add(data, 32), mload(data), 0, 32)
            // True, or nothing from an address that has code.
            ok := and(ok, and(eq(mload(0), 1), or(gt(returndatasize(), 31), and(iszero(returndatasize()), gt(extcodesize(token), 0)))))
        }
        if (!ok) revert TransferFailed();
    }
}
