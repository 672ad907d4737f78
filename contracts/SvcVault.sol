// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Assets} from "./lib/Assets.sol";
import {Owned} from "./lib/Owned.sol";
import {Tokens} from "./lib/Tokens.sol";
import {ISvcVault} from "./Types.sol";

/// Holds the bridged tokens. Takes deposits, and pays withdrawals out when one contract, the releaser, calls it.
/// Amounts are raw units of the token. Canonical amounts are the ledger's units: raw units divided by the token's
/// scale.
///
/// Gas of a payout. Anyone may send a release, and only the burn names the recipient, so the recipient must not decide
/// how much gas the sender spends. A recipient of the chain's own coin gets at most COIN_GAS. Each call of a token, and
/// a recipient called by a token's hook, gets at most TOKEN_GAS. Long return data is not copied. A payout that fails
/// within these limits reverts, and the withdrawal stays open. The recipient then has two ways:
/// - It sends the release itself. Then it gets all gas, because it pays for it.
/// - It waits for the deadline. Then the withdrawal is voided, and its owner gets the tokens back on the ledger's
///   chain.
/// The vault stores no payouts for a later claim: a contract that cannot receive the coin could often not claim it
/// either, and a sender could make the transfer fail by a low gas limit. Without claims, a low limit reverts the whole
/// release.
///
/// Tokens. The full amount of a deposit must arrive, and the full amount of a withdrawal must reach its recipient, or
/// the call reverts. So tokens that take a fee of transfers, or whose balances change during a transfer, are refused.
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
    /// Most gas for a recipient of the chain's own coin, unless the recipient sends the release.
    uint256 public constant COIN_GAS = 100_000;
    /// Most gas for each call of a token.
    uint256 public constant TOKEN_GAS = 300_000;

    uint256 private constant RELEASED = 1;
    uint256 private constant SETTLED = 3;

    /// The nonce of the next deposit.
    uint64 public nonce;
    /// Two bits for each withdrawal, 128 withdrawals in a word: 1 released, 2 voided.
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

    /// @param firstNonce  nonce of the first deposit: a vault that replaces another one continues its nonces
    constructor(uint64 firstNonce) {
        nonce = firstNonce;
    }

    /// Locks tokens for an account of the ledger's chain. Rounds the amount down to whole canonical units.
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

    /// Locks the chain's own coin. Returns what exceeds whole canonical units.
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

    /// Pays a withdrawal out, or reverts. Both amounts are canonical; their sum counts against the token's limit.
    /// @param feeTo  sender of the release
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

    /// Voids a withdrawal: it can never be paid.
    function voidWithdrawal(uint64 id) external once {
        if (withdrawalsPaused) revert WithdrawalsPaused();
        _settle(id, RELEASED << 1);
        emit Voided(id);
    }

    function released(uint64 id) external view returns (bool) {
        return (_outcomes[id >> 7] >> ((id & 127) << 1)) & SETTLED == RELEASED;
    }

    /// Takes out tokens that were sent here by mistake; of a configured token, no more than its limit allows. Tokens
    /// that were never deposited go first: the amount that counts against the cap falls only when deposited tokens are
    /// taken.
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
