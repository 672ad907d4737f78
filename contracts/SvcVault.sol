// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Assets} from "./lib/Assets.sol";
import {Owned} from "./lib/Owned.sol";
import {Tokens} from "./lib/Tokens.sol";
import {ISvcVault} from "./Types.sol";

/// Holds the bridged tokens: takes deposits, and pays withdrawals out when one contract, the releaser, says so. Amounts
/// are raw units of the token; canonical amounts are those of the ledger, smaller by the token's scale.
///
/// What a payout may cost. Anyone may send a release for a recipient that only the burn names, so the recipient must not
/// decide how much gas the sender spends. A recipient of the chain's own coin gets at most COIN_GAS, each call of a token
/// (and through a token's hook its recipient) at most TOKEN_GAS, and long answers are not copied. A payout that does not
/// succeed within that reverts and consumes nothing. The recipient then has two ways:
/// - It sends the release itself. Then it gets all gas, as it is the one who pays for it.
/// - It waits for the deadline. Then the withdrawal is voided, and its owner gets the tokens back on the ledger's chain.
/// Payouts are not kept here for a later claim: a contract that cannot take the coin could often not claim it either, and
/// a sender could fail the transfer on purpose by a low gas limit. As it is, a low limit reverts the whole release.
///
/// Which tokens work. A deposit has to arrive whole and a withdrawal has to reach its recipient whole, or the call
/// reverts. Tokens that keep a fee of transfers, or whose balances change by themselves during a transfer, are refused.
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
    /// Gas that a recipient of the chain's own coin gets at most, unless it sends the release itself.
    uint256 public constant COIN_GAS = 100_000;
    /// The same for each call of a token.
    uint256 public constant TOKEN_GAS = 300_000;

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
        Destination memory to = Destination(telosTo, refundTo, fillFee, filler);
        _checkDeposit(token, canonical, memo, to);
        _lock(token, canonical);
        Tokens.take(token, msg.sender, taken);
        _logDeposit(token, taken, canonical, memo, to);
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
        _checkDeposit(NATIVE, canonical, memo, to);
        _lock(NATIVE, canonical);
        _logDeposit(NATIVE, taken, canonical, memo, to);
        // The sender pays for this gas.
        if (excess > 0) Tokens.sendCoin(msg.sender, excess, gasleft());
    }

    /// Pays a withdrawal out, or reverts. Both amounts are canonical; together they count against the limit of the token.
    /// @param feeTo  who sends the release
    function release(uint64 id, address token, address to, uint64 amount, address feeTo, uint64 fee) external once {
        if (withdrawalsPaused) revert WithdrawalsPaused();
        _settle(id, RELEASED);
        uint256 scale = assets[token].scale;
        if (scale == 0) revert AssetNotConfigured();
        uint256 paid = amount * scale;
        uint256 reward = fee * scale;
        _spend(token, paid + reward, uint256(amount) + fee);
        emit Released(id, token, to, paid, feeTo, reward);
        if (token != NATIVE) return Tokens.pay(token, to, paid, feeTo, reward, to == feeTo ? gasleft() : TOKEN_GAS);
        if (paid > 0) Tokens.sendCoin(to, paid, to == feeTo ? gasleft() : COIN_GAS);
        if (reward > 0) Tokens.sendCoin(feeTo, reward, gasleft());
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

    /// Takes out what was sent here by mistake. Of a configured token no more than withdrawals could. What was never
    /// deposited goes first: deposits stop counting against the cap only when tokens of theirs are taken.
    function rescue(address token, address to, uint256 amount) external onlyOwner once {
        uint256 scale = assets[token].scale;
        if (scale != 0) _spend(token, amount, 0);
        emit Rescued(token, to, amount);
        if (token == NATIVE) Tokens.sendCoin(to, amount, gasleft());
        else Tokens.send(token, to, amount);
        if (scale == 0) return;
        _boundLocked(token, (token == NATIVE ? address(this).balance : Tokens.balance(token, address(this))) / scale);
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

    function _checkDeposit(address token, uint64 canonical, bytes calldata memo, Destination memory to)
        private
        view
    {
        if (depositsPaused) revert DepositsPaused();
        if (canonical < assets[token].minDeposit) revert BelowMinimum(assets[token].minDeposit);
        uint256 units = uint256(_limits[token].locked) + canonical;
        if (units > MAX_CANONICAL || units * assets[token].scale > assets[token].cap) revert CapExceeded();
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
