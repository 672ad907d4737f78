// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Owned} from "./Owned.sol";

/// Which tokens the vault takes, how much of each may be deposited, how much may leave within a day, and who pays out.
///
/// What the owner may do at once, and what only after DELAY. The first releaser and the first limit of a token take effect
/// at once: the vault is being set up then. Later, another releaser and a higher limit are proposed, shown by an event,
/// and accepted by the owner after DELAY. Within DELAY, whoever holds the owner's key can take no more than the limits
/// allow, by `rescue`, and users see what is coming. A lower limit and a pause act at once: they only stop payments. So a
/// faulty releaser is answered with a pause, and is replaced while the vault is paused.
abstract contract Assets is Owned {
    event AssetSet(address indexed token, uint64 scale, uint128 cap, bool enabled, uint64 minDeposit);
    event LimitProposed(address indexed token, uint128 perPeriod, uint64 readyAt);
    event LimitSet(address indexed token, uint128 perPeriod);
    event ReleaserProposed(address indexed releaser, uint64 readyAt);
    event ReleaserSet(address indexed releaser);

    error AssetDisabled();
    error AssetNotConfigured();
    error CapTooLarge();
    error NotAContract();
    error NothingProposed();
    error OutflowLimited();
    error ScaleIsImmutable();
    error ScaleMustBePositive();
    error TooEarly(uint64 readyAt);

    struct Asset {
        /// Raw units of one canonical unit.
        uint64 scale;
        /// Canonical units.
        uint64 minDeposit;
        bool enabled;
        /// Raw units that may be locked at most after a deposit.
        uint96 cap;
    }

    /// A bucket that leaks: what has left fades away within a period. Raw units, but for `locked`. All that a payout
    /// changes is in the first slot.
    struct Limit {
        uint128 used;
        uint64 updated;
        /// Canonical units that were deposited and have not been paid out.
        uint64 locked;
        uint128 perPeriod;
    }

    struct ReleaserProposal {
        address releaser;
        uint64 readyAt;
    }

    struct LimitProposal {
        uint128 perPeriod;
        uint64 readyAt;
    }

    /// Stands for the chain's own coin.
    address public constant NATIVE = address(0);
    uint256 public constant PERIOD = 1 days;
    uint128 public constant UNLIMITED = type(uint128).max;
    /// Seconds from a proposal until it may be accepted.
    uint64 public constant DELAY = 3 days;

    /// The contract that may pay withdrawals out. Declared first: see `Owned.withdrawalsPaused`.
    address public releaser;
    mapping(address => Asset) public assets;
    mapping(address => Limit) internal _limits;
    /// The next releaser, and from when on it may be accepted; both 0 when none is proposed.
    ReleaserProposal public pendingReleaser;
    /// The next limit of a token, and from when on it may be accepted; both 0 when none is proposed.
    mapping(address => LimitProposal) public pendingLimits;

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

    /// How much may leave within a period. What has left already still counts. The first limit and a lower one act at
    /// once; a higher one is a proposal. The same or a lower one withdraws a proposal.
    function setLimit(address token, uint128 perPeriod) external onlyOwner {
        if (assets[token].scale == 0) revert AssetNotConfigured();
        Limit storage limit = _limits[token];
        if (limit.updated == 0 || perPeriod <= limit.perPeriod) return _setLimit(token, perPeriod);
        uint64 readyAt = uint64(block.timestamp) + DELAY;
        pendingLimits[token] = LimitProposal(perPeriod, readyAt);
        emit LimitProposed(token, perPeriod, readyAt);
    }

    function acceptLimit(address token) external onlyOwner {
        LimitProposal memory proposal = pendingLimits[token];
        _checkReady(proposal.readyAt);
        _setLimit(token, proposal.perPeriod);
    }

    /// The first releaser acts at once; another one is a proposal. The present one withdraws a proposal.
    function setReleaser(address _releaser) external onlyOwner {
        if (_releaser.code.length == 0) revert NotAContract();
        if (releaser == address(0) || _releaser == releaser) return _setReleaser(_releaser);
        uint64 readyAt = uint64(block.timestamp) + DELAY;
        pendingReleaser = ReleaserProposal(_releaser, readyAt);
        emit ReleaserProposed(_releaser, readyAt);
    }

    function acceptReleaser() external onlyOwner {
        ReleaserProposal memory proposal = pendingReleaser;
        _checkReady(proposal.readyAt);
        _setReleaser(proposal.releaser);
    }

    /// Of a token: the bucket, and how much may leave within a period. The published ABI gives the parameter no name.
    function limits(address) external view returns (uint128 used, uint64 updated, uint128 perPeriod) {
        Limit memory limit = _limits[abi.decode(msg.data[4:], (address))];
        return (limit.used, limit.updated, limit.perPeriod);
    }

    /// Raw units that were deposited and have not been paid out: what counts against the cap. Tokens that came without a
    /// deposit are not in it, so nobody can fill the cap by sending some. A payout from such tokens leaves it at 0.
    function locked(address token) external view returns (uint256) {
        return uint256(_limits[token].locked) * assets[token].scale;
    }

    /// Raw units that may leave now.
    function available(address token) external view returns (uint256) {
        Limit memory limit = _limits[token];
        if (limit.perPeriod == UNLIMITED) return type(uint256).max;
        uint256 used = _used(limit);
        return used < limit.perPeriod ? limit.perPeriod - used : 0;
    }

    function _lock(address token, uint64 canonical) internal {
        _limits[token].locked += canonical;
    }

    /// No more is locked than the vault holds.
    function _boundLocked(address token, uint256 canonical) internal {
        if (canonical < _limits[token].locked) _limits[token].locked = uint64(canonical);
    }

    /// @param amount    raw units that leave
    /// @param unlocked  canonical units that are locked no longer
    function _spend(address token, uint256 amount, uint256 unlocked) internal {
        Limit memory limit = _limits[token];
        if (limit.updated == 0) revert OutflowLimited();
        if (limit.perPeriod != UNLIMITED) {
            uint256 used = _used(limit) + amount;
            if (used > limit.perPeriod) revert OutflowLimited();
            _limits[token].used = uint128(used);
            _limits[token].updated = uint64(block.timestamp);
        }
        _limits[token].locked = limit.locked > unlocked ? uint64(limit.locked - unlocked) : 0;
    }

    function _setLimit(address token, uint128 perPeriod) private {
        Limit storage limit = _limits[token];
        (limit.used, limit.updated, limit.perPeriod) = (_used(limit), uint64(block.timestamp), perPeriod);
        delete pendingLimits[token];
        emit LimitSet(token, perPeriod);
    }

    function _setReleaser(address _releaser) private {
        releaser = _releaser;
        delete pendingReleaser;
        emit ReleaserSet(_releaser);
    }

    function _checkReady(uint64 readyAt) private view {
        if (readyAt == 0) revert NothingProposed();
        if (block.timestamp < readyAt) revert TooEarly(readyAt);
    }

    /// What is left of what has been used. Rounded up: in favour of the limit.
    function _used(Limit memory limit) private view returns (uint128) {
        uint256 leaked = (uint256(limit.perPeriod) * (block.timestamp - limit.updated)) / PERIOD;
        return limit.used > leaked ? uint128(limit.used - leaked) : 0;
    }
}
