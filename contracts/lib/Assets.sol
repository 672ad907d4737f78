// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Owned} from "./Owned.sol";

/// Which tokens the vault takes, how much it holds of each at most, how much may leave within a day, and who pays out.
abstract contract Assets is Owned {
    event AssetSet(address indexed token, uint64 scale, uint128 cap, bool enabled, uint64 minDeposit);
    event LimitSet(address indexed token, uint128 perPeriod);
    event ReleaserSet(address indexed releaser);

    error AssetDisabled();
    error AssetNotConfigured();
    error CapTooLarge();
    error NotAContract();
    error OutflowLimited();
    error ScaleIsImmutable();
    error ScaleMustBePositive();

    struct Asset {
        /// Raw units of one canonical unit.
        uint64 scale;
        /// Canonical units.
        uint64 minDeposit;
        bool enabled;
        /// Raw units that the vault holds at most after a deposit.
        uint96 cap;
    }

    /// A bucket that leaks: what has left fades away within a period. Raw units.
    struct Limit {
        uint128 used;
        uint64 updated;
        uint128 perPeriod;
    }

    /// Stands for the chain's own coin.
    address public constant NATIVE = address(0);
    uint256 public constant PERIOD = 1 days;
    uint128 public constant UNLIMITED = type(uint128).max;

    mapping(address => Asset) public assets;
    mapping(address => Limit) public limits;
    /// The contract that may pay withdrawals out.
    address public releaser;

    /// Adds a token or changes its terms; its scale stays. Nothing leaves before it has a limit.
    function setAsset(address token, uint64 scale, uint128 cap, bool enabled, uint64 minDeposit) external onlyOwner {
        if (scale == 0) revert ScaleMustBePositive();
        if (cap > type(uint96).max) revert CapTooLarge();
        if (token != NATIVE && token.code.length == 0) revert NotAContract();
        uint64 before = assets[token].scale;
        if (before != 0 && before != scale) revert ScaleIsImmutable();
        assets[token] = Asset(scale, minDeposit, enabled, uint96(cap));
        emit AssetSet(token, scale, cap, enabled, minDeposit);
    }

    /// How much may leave within a period. What has left already still counts.
    function setLimit(address token, uint128 perPeriod) external onlyOwner {
        if (assets[token].scale == 0) revert AssetNotConfigured();
        uint128 used = _used(limits[token]);
        limits[token] = Limit(used, uint64(block.timestamp), perPeriod);
        emit LimitSet(token, perPeriod);
    }

    function setReleaser(address _releaser) external onlyOwner {
        if (_releaser.code.length == 0) revert NotAContract();
        releaser = _releaser;
        emit ReleaserSet(_releaser);
    }

    /// Raw units that may leave now.
    function available(address token) external view returns (uint256) {
        Limit memory limit = limits[token];
        if (limit.perPeriod == UNLIMITED) return type(uint256).max;
        uint256 used = _used(limit);
        return used < limit.perPeriod ? limit.perPeriod - used : 0;
    }

    function _spend(address token, uint256 amount) internal {
        Limit memory limit = limits[token];
        if (limit.perPeriod == UNLIMITED) return;
        uint256 used = _used(limit) + amount;
        if (used > limit.perPeriod) revert OutflowLimited();
        limits[token].used = uint128(used);
        limits[token].updated = uint64(block.timestamp);
    }

    /// What is left of what has been used. Rounded up: in favour of the limit.
    function _used(Limit memory limit) private view returns (uint128) {
        uint256 leaked = (uint256(limit.perPeriod) * (block.timestamp - limit.updated)) / PERIOD;
        return limit.used > leaked ? uint128(limit.used - leaked) : 0;
    }
}
