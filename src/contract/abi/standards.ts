import { type Abi, signatureItem } from "./item.ts";

/** Functions by the standard, or the contract that nearly everyone uses, with the names that they have there. */
const FUNCTIONS = [
  // ERC-20 and ERC-721 share two signatures: there, a number is an amount or the ID of a token.
  "transfer(address to, uint256 amount)",
  "transferFrom(address from, address to, uint256 amountOrId)",
  "approve(address spender, uint256 amountOrId)",
  "increaseAllowance(address spender, uint256 addedAmount)",
  "decreaseAllowance(address spender, uint256 subtractedAmount)",
  "mint(address to, uint256 amount)",
  "burn(uint256 amount)",
  "burnFrom(address account, uint256 amount)",
  "permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "permit(address owner, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)",
  "transferWithAuthorization(address from, address to, uint256 amount, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "deposit()",
  "withdraw(uint256 amount)",
  // ERC-721 and ERC-1155
  "safeTransferFrom(address from, address to, uint256 tokenId)",
  "safeTransferFrom(address from, address to, uint256 tokenId, bytes data)",
  "setApprovalForAll(address operator, bool approved)",
  "safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)",
  "safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)",
  // ERC-4626
  "deposit(uint256 assets, address receiver)",
  "mint(uint256 shares, address receiver)",
  "withdraw(uint256 assets, address receiver, address owner)",
  "redeem(uint256 shares, address receiver, address owner)",
  // Permit2
  "approve(address token, address spender, uint160 amount, uint48 expiration)",
  "permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)",
  "transferFrom(address from, address to, uint160 amount, address token)",
  // Several calls in one
  "multicall(bytes[] data)",
  "multicall(uint256 deadline, bytes[] data)",
  "multicall(bytes32 previousBlockhash, bytes[] data)",
  "aggregate((address target, bytes callData)[] calls)",
  "tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)",
  "aggregate3((address target, bool allowFailure, bytes callData)[] calls)",
  "aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)",
  "execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
  "execute(address target, uint256 value, bytes data)",
  // Ownership, roles, upgrades
  "transferOwnership(address newOwner)",
  "renounceOwnership()",
  "acceptOwnership()",
  "grantRole(bytes32 role, address account)",
  "revokeRole(bytes32 role, address account)",
  "renounceRole(bytes32 role, address account)",
  "upgradeTo(address newImplementation)",
  "upgradeToAndCall(address newImplementation, bytes data)",
  "pause()",
  "unpause()",
];

/** Errors of ERC-6093 and of the contracts that nearly everyone uses. */
const ERRORS = [
  "ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "ERC20InvalidSender(address sender)",
  "ERC20InvalidReceiver(address receiver)",
  "ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
  "ERC20InvalidApprover(address approver)",
  "ERC20InvalidSpender(address spender)",
  "ERC721InvalidOwner(address owner)",
  "ERC721NonexistentToken(uint256 tokenId)",
  "ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)",
  "ERC721InvalidSender(address sender)",
  "ERC721InvalidReceiver(address receiver)",
  "ERC721InsufficientApproval(address operator, uint256 tokenId)",
  "ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)",
  "ERC1155InvalidReceiver(address receiver)",
  "ERC1155MissingApprovalForAll(address operator, address owner)",
  "ERC2612ExpiredSignature(uint256 deadline)",
  "ERC2612InvalidSigner(address signer, address owner)",
  "ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)",
  "ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max)",
  "ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max)",
  "OwnableUnauthorizedAccount(address account)",
  "OwnableInvalidOwner(address owner)",
  "AccessControlUnauthorizedAccount(address account, bytes32 neededRole)",
  "EnforcedPause()",
  "ExpectedPause()",
  "ReentrancyGuardReentrantCall()",
  "SafeERC20FailedOperation(address token)",
  "InsufficientBalance(uint256 balance, uint256 needed)",
  "FailedCall()",
];

/** Returns the items of well-known standards. Parsing takes some milliseconds. */
export function standardAbi(): Abi {
  return { functions: FUNCTIONS.map(signatureItem), errors: ERRORS.map(signatureItem) };
}
