// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The owner, whose transfer takes two steps, and guardians, who may pause but not resume.
abstract contract Owned {
    event GuardianSet(address indexed guardian, bool allowed);
    event OwnerSet(address indexed owner);
    event OwnershipOffered(address indexed to);
    event PauseSet(bool deposits, bool withdrawals);

    error NotGuardian();
    error NotOwner();
    error NotPendingOwner();

    address public owner;
    address public pendingOwner;
    mapping(address => bool) public guardians;
    // Last: a release reads `withdrawalsPaused` and the releaser, which `Assets` declares next, from one slot.
    bool public depositsPaused;
    bool public withdrawalsPaused;

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    constructor() {
        owner = msg.sender;
        emit OwnerSet(msg.sender);
    }

    function offerOwnership(address to) external onlyOwner {
        pendingOwner = to;
        emit OwnershipOffered(to);
    }

    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert NotPendingOwner();
        owner = msg.sender;
        pendingOwner = address(0);
        emit OwnerSet(msg.sender);
    }

    function setGuardian(address who, bool allowed) external onlyOwner {
        guardians[who] = allowed;
        emit GuardianSet(who, allowed);
    }

    function setPaused(bool deposits, bool withdrawals) external onlyOwner {
        _pause(deposits, withdrawals);
    }

    /// Stops deposits and withdrawals.
    function halt() external {
        if (!guardians[msg.sender]) revert NotGuardian();
        _pause(true, true);
    }

    function _pause(bool deposits, bool withdrawals) private {
        (depositsPaused, withdrawalsPaused) = (deposits, withdrawals);
        emit PauseSet(deposits, withdrawals);
    }
}
