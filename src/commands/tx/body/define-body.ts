import { LEAST_BARE_GWEI } from "../../../contract/currency.ts";
import { grouped } from "../../../contract/decimal.ts";
import { NETWORK_KINDS } from "../../../contract/network-kind.ts";
import { DEFAULT_STELLAR_FEE, SPEEDS, TRANSFER_GAS } from "../../../contract/transaction/replacement.ts";
import { BODY_FILE, DIFF } from "../../flags/options.ts";
import type { CommandSyntax } from "../../flags/syntax.ts";
import { defineCallFlags } from "../call/call-flags.ts";
import { FORCE } from "../replacement/refuse-obstacle.ts";

/** Adds the flags of a transaction to send. */
export function defineSentBody(command: CommandSyntax) {
  return command
    .optionsGroup("EVM (price: speed, gas price, or fee and tip)")
    .option("--to <address>", "Receiver (checksum verified); omit to create a contract")
    .option("--to-relayer <id>", "Receiver: the address of this relayer, which is shown")
    .option(
      "--value <amount>",
      "Amount, e.g. 0.01eth (or the network's own coin) or 80gwei, or digits for wei (required, even if 0)",
    )
    .option("--data <hex>", "Call data, or the code of a contract")
    .include(defineCallFlags)
    .choice("--speed <speed>", "Speed; sets the price", SPEEDS)
    .option("--gas-price <amount>", `Legacy gas price, e.g. 30gwei (below ${LEAST_BARE_GWEI} gwei with a unit)`)
    .option("--max-fee-per-gas <amount>", "EIP-1559 price, e.g. 30gwei; requires the tip")
    .option("--max-priority-fee-per-gas <amount>", "EIP-1559 tip, e.g. 2gwei")
    .option("--gas-limit <gas>", "Gas limit (default: an estimate by the service's node)")
    .option("--valid-until <time>", "Expires: RFC 3339 with a zone; Stellar: or Unix seconds")
    .optionsGroup("Solana")
    .option("--transaction <base64>", "Serialized transaction")
    .option("--instructions <file>", "Read a JSON list of instructions from a file (`-` for stdin)")
    .optionsGroup("Stellar")
    .option("--network <name>", "Network name (required)")
    .option("--source-account <account>", "Account that sends")
    .option(
      "--operations <file>",
      "Read a JSON list of operations from a file (`-` for stdin); not with --transaction-xdr",
    )
    .option("--transaction-xdr <base64>", "Built transaction; if signed, requires --fee-bump")
    .option("--memo <type[:value]>", "Memo: none, text:WORDS, id:7, or hash:HEX or return:HEX with 64 hex digits")
    .option("--fee-bump", "Wrap a signed --transaction-xdr in a fee bump")
    .option(
      "--max-fee <amount>",
      `Highest fee, e.g. 0.1xlm, or digits for stroops (default: ${grouped(String(DEFAULT_STELLAR_FEE))} stroops)`,
    )
    .option("--signed-auth-entry <base64>", "Authorization entry that a user signed for a built --transaction-xdr")
    .optionsGroup("Request")
    .choice("--network-type <type>", "Network type, if it is left open", NETWORK_KINDS)
    .option(...BODY_FILE);
}

/** Adds the flags of a replacement. `--no-x` sends null. */
export function defineReplacementBody(command: CommandSyntax) {
  return command
    .optionsGroup("EVM")
    .option("--to <address>", "Receiver: 20 bytes of hex, with the checksum verified")
    .option(
      "--value <amount>",
      "Amount, e.g. 0.25eth (or the network's own coin) or 80gwei, or digits for wei (required)",
    )
    .option("--data <hex>", "Call data; requires --gas-limit")
    .include(defineCallFlags)
    .option("--gas-limit <gas>", `Gas limit (default: ${TRANSFER_GAS}, set by the service when it signs)`)
    .option("--no-gas-limit", "Send null")
    .option("--gas-price <amount>", `Legacy gas price, e.g. 30gwei (below ${LEAST_BARE_GWEI} gwei with a unit)`)
    .option("--max-fee-per-gas <amount>", "EIP-1559 price, e.g. 30gwei")
    .option("--max-priority-fee-per-gas <amount>", "EIP-1559 tip, e.g. 2gwei")
    .choice("--speed <speed>", "Speed; sets the price", SPEEDS)
    .option("--valid-until <time>", "Expiration time in RFC 3339 with a zone; Stellar also takes Unix seconds")
    .option("--no-valid-until", "Send null")
    .optionsGroup("Solana")
    .option("--transaction <base64>", "Serialized transaction")
    .include(defineReplacementStellar)
    .optionsGroup("Request")
    .choice("--network-type <type>", "Network type, if it is left open", NETWORK_KINDS)
    .option("--inherit", "Copy --to, --value, --data, and --gas-limit from the transaction unless specified (EVM only)")
    .option(...FORCE)
    .option(...BODY_FILE)
    .option(...DIFF);
}

function defineReplacementStellar(command: CommandSyntax) {
  return command
    .optionsGroup("Stellar")
    .option("--network <name>", "Network name (required)")
    .option("--source-account <account>", "Account that sends")
    .option("--no-source-account", "Send null")
    .option(
      "--operations <file>",
      "Read a JSON list of operations from a file (`-` for stdin); not with --transaction-xdr",
    )
    .option("--no-operations", "Send null")
    .option("--transaction-xdr <base64>", "Built transaction, signed or not")
    .option("--no-transaction-xdr", "Send null")
    .option("--memo <type[:value]>", "Memo: none, text:WORDS, id:7, or hash:HEX or return:HEX with 64 hex digits")
    .option("--no-memo", "Send null")
    .option("--fee-bump", "Wrap a signed --transaction-xdr in a fee bump")
    .option("--no-fee-bump", "Send false")
    .option(
      "--max-fee <amount>",
      `Highest fee, e.g. 0.1xlm, or digits for stroops (default: ${grouped(String(DEFAULT_STELLAR_FEE))} stroops)`,
    )
    .option("--no-max-fee", "Send null");
}

/** Adds the flags of a transaction whose fee is paid in a token. */
export function defineSponsoredBody(command: CommandSyntax) {
  return command
    .optionsGroup("Fee")
    .option(
      "--fee-token <token>",
      "Fee token: a mint on Solana; native, CODE:ISSUER, or a contract on Stellar (required)",
    )
    .optionsGroup("Solana")
    .option("--transaction <base64>", "Serialized transaction")
    .optionsGroup("Stellar")
    .option("--transaction-xdr <base64>", "Built transaction")
    .option(
      "--operations <file>",
      "Read a JSON list of operations from a file (`-` for stdin); requires --source-account",
    )
    .option("--source-account <account>", "Account that sends")
    .optionsGroup("Request")
    .choice("--network-type <type>", "Network type, if it is left open", ["solana", "stellar"])
    .option(...BODY_FILE);
}
