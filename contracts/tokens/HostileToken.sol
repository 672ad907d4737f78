// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// An ERC-20 token for tests that misbehaves according to its mode. Its deployer gets the whole supply.
contract HostileToken {
    /// 0 honest, returns nothing; 1 moves nothing, returns nothing; 2 moves nothing, returns true; 3 the receiver gets
    /// one percent less; 4 the sender pays one percent more; 5 returns true and a megabyte; 6 burns all gas; 7 reports
    /// the same balance for every account; 8 calls the receiver.
    uint256 public mode;
    mapping(address => uint256) private _balances;

    constructor(uint256 supply) {
        _balances[msg.sender] = supply;
    }

    function setMode(uint256 _mode) external {
        mode = _mode;
    }

    function balanceOf(address account) external view returns (uint256) {
        return mode == 7 ? 10 ** 12 : _balances[account];
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        if (mode == 6) while (true) {}
        if (mode == 2) _answer(32);
        if (mode == 1) return;
        _balances[from] -= mode == 4 ? amount + amount / 100 : amount;
        _balances[to] += mode == 3 ? amount - amount / 100 : amount;
        if (mode == 5) _answer(1 << 20);
        if (mode == 8) {
            (bool ok, ) = to.call("");
            require(ok);
        }
    }

    /// Returns true, and zeros up to `size` bytes.
    function _answer(uint256 size) private pure {
        assembly {
            mstore(0, 1)
            return(0, size)
        }
    }
}
