// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Owned} from "./Owned.sol";

/// Tokens of the vault, caps of deposits, limits of payouts within a day, and the releaser.
///
/// Changes by the owner. The first releaser and the first limit of a token take effect at once, because the vault is
/// being set up. Later, the owner proposes another releaser or a higher limit; an event announces it, and the owner can
/// accept it after DELAY. During DELAY, a thief with the owner's key can take at most what the limits allow, through
/// `rescue`, and users see the proposal. A lower limit and a pause take effect at once, because they only stop
/// payments. Against a faulty releaser, the vault is paused, and the releaser is replaced during the pause.
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
        /// Raw units in one canonical unit.
        uint64 scale;
        /// Smallest deposit, canonical units.
        uint64 minDeposit;
        bool enabled;
        /// Most raw units locked after a deposit.
        uint96 cap;
    }

    /// A leaky bucket: the used amount decays to 0 within a period. Raw units, except `locked`. A payout writes only
    /// the first slot.
    struct Limit {
        uint128 used;
        uint64 updated;
        /// Canonical units deposited and not paid out.
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

    /// Address that means the chain's own coin.
    address public constant NATIVE = address(0);
    uint256 public constant PERIOD = 1 days;
    uint128 public constant UNLIMITED = type(uint128).max;
    /// Seconds from a proposal until the owner may accept it.
    uint64 public constant DELAY = 3 days;

    /// The contract that may pay withdrawals out. Declared first for one storage slot: see `Owned.withdrawalsPaused`.
    address public releaser;
    mapping(address => Asset) public assets;
    mapping(address => Limit) internal _limits;
    /// The proposed releaser, and the earliest time to accept it; both 0 without a proposal.
    ReleaserProposal public pendingReleaser;
    /// The proposed limit of a token, and the earliest time to accept it; both 0 without a proposal.
    mapping(address => LimitProposal) public pendingLimits;

    /// Adds a token or changes its terms; its scale cannot change. Without a limit, nothing is paid out.
    function setAsset(address token, uint64 scale, uint128 cap, bool enabled, uint64 minDeposit) external onlyOwner {
        if (scale == 0) revert ScaleMustBePositive();
        if (cap > type(uint96).max) revert CapTooLarge();
        if (token != NATIVE && token.code.length == 0) revert NotAContract();
        uint64 before = assets[token].scale;
        if (before != 0 && before != scale) revert ScaleIsImmutable();
        assets[token] = Asset(scale, minDeposit, enabled, uint96(cap));
        emit AssetSet(token, scale, cap, enabled, minDeposit);
    }

    /// Sets the payout limit within a period. Amounts already paid still count. The first limit and a lower one take
    /// effect at once; a higher one becomes a proposal. An equal or lower one withdraws a proposal.
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

    /// Sets the first releaser at once; another one becomes a proposal. The current one withdraws a proposal.
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

    /// A token's bucket and payout limit within a period. The parameter has no name, as in the published ABI.
    function limits(address) external view returns (uint128 used, uint64 updated, uint128 perPeriod) {
        Limit memory limit = _limits[abi.decode(msg.data[4:], (address))];
        return (limit.used, limit.updated, limit.perPeriod);
    }

    /// Raw units deposited and not paid out, which count against the cap. Tokens sent without a deposit do not count,
    /// so sending tokens cannot fill the cap. A payout of such tokens leaves the value at 0.
    function locked(address token) external view returns (uint256) {
        return uint256(_limits[token].locked) * assets[token].scale;
    }

    /// Raw units that may be paid out now.
    function available(address token) external view returns (uint256) {
        Limit memory limit = _limits[token];
        if (limit.perPeriod == UNLIMITED) return type(uint256).max;
        uint256 used = _used(limit);
        return used < limit.perPeriod ? limit.perPeriod - used : 0;
    }

    function _lock(address token, uint64 canonical) internal {
        _limits[token].locked += canonical;
    }

    /// The locked amount never exceeds the vault's balance.
    function _boundLocked(address token, uint256 canonical) internal {
        if (canonical < _limits[token].locked) _limits[token].locked = uint64(canonical);
    }

    /// @param amount    raw units paid out
    /// @param unlocked  canonical units that stop being locked
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

    /// The used amount after its decay. Rounded up, in favour of the limit.
    function _used(Limit memory limit) private view returns (uint128) {
        uint256 leaked = (uint256(limit.perPeriod) * (block.timestamp - limit.updated)) / PERIOD;
        return limit.used > leaked ? uint128(limit.used - leaked) : 0;
    }
}
