// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Assets} from "./lib/Assets.sol";
import {Owned} from "./lib/Owned.sol";
import {Tokens} from "./lib/Tokens.sol";
import {ISvcVault} from "./Types.sol";

/// Holds what is bridged: takes deposits, pays withdrawals out on the word of one contract, the releaser. Amounts are
/// raw units of the token; canonical amounts are those of the ledger, smaller by the token's scale.
contract SvcVault is ISvcVault, Assets {
    event Deposit(
        address indexed token,
        address indexed from,
        uint256 amount,
        uint64 canonical,
        uint64 telosTo,
        uint64 nonce,
        address refundTo,
        uint64 fillFee,
        uint64 filler,
        bytes memo
    );
    event Released(
        uint64 indexed id, address indexed token, address indexed to, uint256 amount, address feeTo, uint256 fee
    );
    event Voided(uint64 indexed id);
    event Rescued(address indexed token, address indexed to, uint256 amount);

    error AlreadySettled();
    error AmountTooLarge();
    error AmountTooSmall();
    error BelowMinimum(uint64 minDeposit);
    error CapExceeded();
    error DepositsPaused();
    error FillFeeTooLarge();
    error MemoTooLong();
    error NotReleaser();
    error Reentrancy();
    error UseDepositNative();
    error WithdrawalsPaused();
    error ZeroAccount();
    error ZeroRefundAddress();

    /// The largest amount of an Antelope asset.
    uint256 public constant MAX_CANONICAL = (1 << 62) - 1;
    uint256 public constant MAX_MEMO = 256;

    uint256 private constant RELEASED = 1;
    uint256 private constant SETTLED = 3;

    /// The nonce of the next deposit.
    uint64 public nonce;
    /// Two bits a withdrawal, 128 withdrawals a word: 1 released, 2 voided.
    mapping(uint256 => uint256) private _outcomes;
    bool private transient _entered;

    struct Destination {
        uint64 telosTo;
        address refundTo;
        uint64 fillFee;
        uint64 filler;
    }

    modifier once() {
        if (_entered) revert Reentrancy();
        _entered = true;
        _;
        _entered = false;
    }

    /// @param firstNonce  of the first deposit: a vault that follows another one goes on where that one stopped
    constructor(uint64 firstNonce) {
        nonce = firstNonce;
    }

    /// Locks tokens for an account of the ledger's chain. Takes no more than a whole number of canonical units.
    function deposit(
        address token,
        uint256 amount,
        uint64 telosTo,
        address refundTo,
        uint64 fillFee,
        uint64 filler,
        bytes calldata memo
    ) external once {
        if (token == NATIVE) revert UseDepositNative();
        (uint64 canonical, uint256 taken) = _units(token, amount);
        uint256 held = Tokens.balance(token);
        _checkDeposit(token, canonical, held + taken, memo, Destination(telosTo, refundTo, fillFee, filler));
        Tokens.take(token, msg.sender, taken, held);
        _logDeposit(token, taken, canonical, memo, Destination(telosTo, refundTo, fillFee, filler));
    }

    /// The same with the chain's own coin; what is not a whole number of canonical units goes back.
    function depositNative(uint64 telosTo, address refundTo, uint64 fillFee, uint64 filler, bytes calldata memo)
        external
        payable
        once
    {
        (uint64 canonical, uint256 taken) = _units(NATIVE, msg.value);
        uint256 excess = msg.value - taken;
        Destination memory to = Destination(telosTo, refundTo, fillFee, filler);
        _checkDeposit(NATIVE, canonical, address(this).balance - excess, memo, to);
        _logDeposit(NATIVE, taken, canonical, memo, to);
        if (excess > 0) Tokens.send(NATIVE, msg.sender, excess);
    }

    /// Pays a withdrawal out. Both amounts are canonical; together they count against the limit of the token.
    function release(uint64 id, address token, address to, uint64 amount, address feeTo, uint64 fee) external once {
        if (withdrawalsPaused) revert WithdrawalsPaused();
        _settle(id, RELEASED);
        uint256 scale = assets[token].scale;
        if (scale == 0) revert AssetNotConfigured();
        uint256 paid = amount * scale;
        uint256 reward = fee * scale;
        _spend(token, paid + reward);
        emit Released(id, token, to, paid, feeTo, reward);
        if (paid > 0) Tokens.send(token, to, paid);
        if (reward > 0) Tokens.send(token, feeTo, reward);
    }

    /// Marks a withdrawal as one that will never be paid.
    function voidWithdrawal(uint64 id) external once {
        if (withdrawalsPaused) revert WithdrawalsPaused();
        _settle(id, RELEASED << 1);
        emit Voided(id);
    }

    function released(uint64 id) external view returns (bool) {
        return (_outcomes[id >> 7] >> ((id & 127) << 1)) & SETTLED == RELEASED;
    }

    /// Takes out what was sent here by mistake. Of a configured token no more than withdrawals could.
    function rescue(address token, address to, uint256 amount) external onlyOwner once {
        if (assets[token].scale != 0) _spend(token, amount);
        emit Rescued(token, to, amount);
        Tokens.send(token, to, amount);
    }

    function _settle(uint64 id, uint256 outcome) private {
        if (msg.sender != releaser) revert NotReleaser();
        uint256 place = (id & 127) << 1;
        uint256 word = _outcomes[id >> 7];
        if ((word >> place) & SETTLED != 0) revert AlreadySettled();
        _outcomes[id >> 7] = word | (outcome << place);
    }

    function _units(address token, uint256 amount) private view returns (uint64 canonical, uint256 taken) {
        uint256 scale = assets[token].scale;
        if (scale == 0 || !assets[token].enabled) revert AssetDisabled();
        uint256 units = amount / scale;
        if (units == 0) revert AmountTooSmall();
        if (units > MAX_CANONICAL) revert AmountTooLarge();
        return (uint64(units), units * scale);
    }

    function _checkDeposit(address token, uint64 canonical, uint256 held, bytes calldata memo, Destination memory to)
        private
        view
    {
        if (depositsPaused) revert DepositsPaused();
        if (canonical < assets[token].minDeposit) revert BelowMinimum(assets[token].minDeposit);
        if (held > assets[token].cap) revert CapExceeded();
        if (to.fillFee > canonical) revert FillFeeTooLarge();
        if (memo.length > MAX_MEMO) revert MemoTooLong();
        if (to.telosTo == 0) revert ZeroAccount();
        if (to.refundTo == address(0)) revert ZeroRefundAddress();
    }

    function _logDeposit(
        address token,
        uint256 taken,
        uint64 canonical,
        bytes calldata memo,
        Destination memory to
    ) private {
        uint64 number = nonce++;
        emit Deposit(
            token, msg.sender, taken, canonical, to.telosTo, number, to.refundTo, to.fillFee, to.filler, memo
        );
    }
}
