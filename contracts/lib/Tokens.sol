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
/// whole amount or reverts: balances are compared before and after, because a token may report success and move nothing,
/// or keep a part as its fee. At most 32 bytes of an answer are copied, so a long answer costs the caller nothing.
library Tokens {
    function balance(address token, address account) internal view returns (uint256) {
        return balance(token, account, gasleft());
    }

    /// @param gasCap  gas that the token gets at most
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

    /// Takes `amount` from `from`. A token that keeps a fee is refused.
    function take(address token, address from, uint256 amount) internal {
        uint256 held = balance(token, address(this));
        _call(token, abi.encodeCall(IERC20.transferFrom, (from, address(this), amount)), gasleft());
        if (balance(token, address(this)) != held + amount) revert TransferFailed();
    }

    /// Pays `paid` to `to`, then `reward` to `feeTo`. `to` has to hold at least `paid` more after its transfer, and this
    /// contract exactly both amounts less at the end. So this contract itself cannot be paid, nor can a recipient that
    /// passes the tokens on within the transfer.
    /// @param gasCap  gas that each call of the token gets at most
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

    /// Sends `amount` away. The receiver may get less when the token keeps a fee.
    function send(address token, address to, uint256 amount) internal {
        uint256 held = balance(token, address(this));
        _call(token, abi.encodeCall(IERC20.transfer, (to, amount)), gasleft());
        if (balance(token, address(this)) + amount != held) revert TransferFailed();
    }

    /// Sends the chain's own coin.
    /// @param gasCap  gas that the receiver gets at most, besides the 2,300 that the EVM adds
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
            // True, or nothing from an address that has code.
            ok := and(ok, and(eq(mload(0), 1), or(gt(returndatasize(), 31), and(iszero(returndatasize()), gt(extcodesize(token), 0)))))
        }
        if (!ok) revert TransferFailed();
    }
}
