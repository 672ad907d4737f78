// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IERC20 {
    function balanceOf(address account) external view returns (uint256);

    function transfer(address to, uint256 amount) external returns (bool);

    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

error NativeSendFailed();
error TransferFailed();

/// Transfers of ERC-20 tokens, also of tokens that return nothing, and of the chain's own coin. Each transfer moves the
/// whole amount or reverts: balances are compared before and after, because a token may report success and move
/// nothing, or take a part as its fee. At most 32 bytes of return data are copied, so long return data costs the caller
/// nothing.
library Tokens {
    function balance(address token, address account) internal view returns (uint256) {
        return balance(token, account, gasleft());
    }

    /// @param gasCap  most gas for the token
    function balance(address token, address account, uint256 gasCap) internal view returns (uint256 value) {
        bytes memory data = abi.encodeCall(IERC20.balanceOf, (account));
        bool ok;
        assembly ("memory-safe") {
            ok := staticcall(gasCap, token, add(data, 32), mload(data), 0, 32)
            ok := and(ok, gt(returndatasize(), 31))
            value := mload(0)
        }
        if (!ok) revert TransferFailed();
    }

    /// Takes `amount` from `from`. A token that takes a fee is refused.
    function take(address token, address from, uint256 amount) internal {
        uint256 held = balance(token, address(this));
        _call(token, abi.encodeCall(IERC20.transferFrom, (from, address(this), amount)), gasleft());
        if (balance(token, address(this)) != held + amount) revert TransferFailed();
    }

    /// Pays `paid` to `to`, then `reward` to `feeTo`. The balance of `to` must grow by at least `paid`, and the balance
    /// of this contract must fall by exactly both amounts. So neither this contract nor a recipient that forwards the
    /// tokens within the transfer can be paid.
    /// @param gasCap  most gas for each call of the token
    function pay(address token, address to, uint256 paid, address feeTo, uint256 reward, uint256 gasCap) internal {
        uint256 held = balance(token, address(this), gasCap);
        if (paid > 0) {
            uint256 had = balance(token, to, gasCap);
            _call(token, abi.encodeCall(IERC20.transfer, (to, paid)), gasCap);
            if (balance(token, to, gasCap) < had + paid) revert TransferFailed();
        }
        if (reward > 0) _call(token, abi.encodeCall(IERC20.transfer, (feeTo, reward)), gasCap);
        if (balance(token, address(this), gasCap) + paid + reward != held) revert TransferFailed();
    }

    /// Sends `amount`. The receiver may get less if the token takes a fee.
    function send(address token, address to, uint256 amount) internal {
        uint256 held = balance(token, address(this));
        _call(token, abi.encodeCall(IERC20.transfer, (to, amount)), gasleft());
        if (balance(token, address(this)) + amount != held) revert TransferFailed();
    }

    /// Sends the chain's own coin.
    /// @param gasCap  most gas for the receiver, in addition to the EVM's stipend of 2,300
    function sendCoin(address to, uint256 amount, uint256 gasCap) internal {
        bool ok;
        assembly ("memory-safe") {
            ok := call(gasCap, to, amount, 0, 0, 0, 0)
        }
        if (!ok) revert NativeSendFailed();
    }

    function _call(address token, bytes memory data, uint256 gasCap) private {
        bool ok;
        assembly ("memory-safe") {
            mstore(0, 1)
            ok := call(gasCap, token, 0, add(data, 32), mload(data), 0, 32)
            // Success: the token returned true, or it returned nothing and has code.
            ok := and(ok, and(eq(mload(0), 1), or(gt(returndatasize(), 31), and(iszero(returndatasize()), gt(extcodesize(token), 0)))))
        }
        if (!ok) revert TransferFailed();
    }
}
