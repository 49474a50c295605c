import type { FieldTable } from "../../../src/contract/resources/field.ts";
import { networkFields } from "../../../src/contract/resources/network.ts";
import { notificationFields } from "../../../src/contract/resources/notification.ts";
import { pluginFields } from "../../../src/contract/resources/plugin.ts";
import { relayerFields } from "../../../src/contract/resources/relayer.ts";
import { anything, closed, flag, type Members, open, orNull, type Schema, text, texts, word } from "./schema.ts";

/** Every field but the ID may be absent or null, as the service sends it. */
const HOLDS: Readonly<Record<string, Schema>> = {
  id: { type: "string" },
  text: { type: ["string", "null"] },
  flag: { type: ["boolean", "null"] },
  object: { type: ["object", "null"] },
  list: { type: ["array", "null"] },
  anything: {},
};

/** What each field of a table is, in words. A field without them is not documented. */
type Words<T extends FieldTable> = {
  [Name in keyof T as T[Name] extends { holds: string } ? Name : never]: string;
};

function resource<T extends FieldTable>(description: string, table: T, words: Words<T>): Schema {
  const members = Object.entries<string>(words).map(([name, about]) => {
    const holds = table[name]?.holds;
    return [name, { description: about, ...(holds && HOLDS[holds]) }] as const;
  });
  return open(`${description}, as the service returns it.`, Object.fromEntries(members), ["id"]);
}

export const RELAYER = resource("A relayer", relayerFields, {
  id: "The ID.",
  name: "The display name.",
  network: "The name of the network, e.g. sepolia.",
  network_type: "The kind of the network: evm, solana, stellar, or a later one.",
  paused: "Whether an operator paused the relayer.",
  system_disabled: "Whether the service disabled the relayer.",
  disabled_reason: "Why the service disabled the relayer: a type and details.",
  address: "The address of the relayer's account.",
  signer_id: "The ID of the signer that holds the key.",
  notification_id: "The ID of the notification that receives the relayer's events.",
  custom_rpc_urls: "The RPC URLs that replace the network's: each has a url and a weight. Keys in URLs are masked.",
  policies:
    "The policies of the relayer's kind. Amounts are integers of any size in the smallest unit: wei, lamports, or stroops.",
});

export const NETWORK = resource("A network", networkFields, {
  id: "The type and the name, e.g. evm:sepolia.",
  name: "The name.",
  network_type: "The kind: evm, solana, stellar, or a later one.",
  is_testnet: "Whether it is a test network.",
  chain_id: "The chain ID of an EVM network.",
  symbol: "The symbol of the coin of an EVM network.",
  required_confirmations: "The blocks after which the service confirms a transaction.",
  average_blocktime_ms: "The average time between two blocks, in milliseconds.",
  rpc_urls: "The RPC URLs: objects with a url and a weight, or texts. Keys in URLs are masked.",
  explorer_urls: "The URLs of block explorers.",
  features: "What the network supports, e.g. eip1559.",
  tags: "The tags of the network.",
  passphrase: "The passphrase of a Stellar network.",
  status_check: "When the service asks for the status of a transaction: initial_delay_seconds and retry_delay_seconds.",
  horizon_url: "The URL of a Horizon server of a Stellar network.",
});

export const NOTIFICATION = resource("A notification", notificationFields, {
  id: "The ID.",
  type: "The type: webhook.",
  url: "The URL that deliveries are sent to.",
  has_signing_key: "Whether deliveries are signed. The key is never returned.",
});

export const PLUGIN = resource("A plugin", pluginFields, {
  id: "The ID.",
  path: "The path of the plugin's code on the service.",
  timeout: "The time limit of a call: seconds, or an object with secs and nanos.",
  emit_logs: "Whether a call returns the plugin's logs.",
  emit_traces: "Whether a call returns the plugin's traces.",
  raw_response: "Whether a call returns the plugin's value without an envelope.",
  allow_get_invocation: "Whether the plugin can be called with GET.",
  forward_logs: "Whether the plugin's logs are also written to the service's log.",
  config: "The configuration of the plugin.",
});

export const SIGNER = open(
  "A signer, as the service returns it.",
  {
    id: text("The ID."),
    type: orNull(text("The type: local, aws_kms, vault, or another one.")),
    config: anything("The configuration, without secrets."),
  },
  ["id"],
);

const amount = (description: string): Schema => ({
  description: `${description}; an integer of any size, or a string of one, depending on the version of the service.`,
  type: ["integer", "string", "null"],
});
const optional = (description: string): Schema => orNull(text(description));

const OF_EVERY_KIND: Members = {
  id: optional("The ID; null if `tx send --once` only knows the hash."),
  relayer_id: optional("The ID of the relayer."),
  status: optional(
    "The status: pending, sent, submitted, mined, confirmed, failed, canceled, expired, or a later one.",
  ),
  status_reason: optional("Why the transaction has its status."),
  created_at: optional("When the service accepted the transaction, in RFC 3339."),
  sent_at: optional("When it was broadcast, in RFC 3339."),
  confirmed_at: optional("When it was confirmed, in RFC 3339."),
  hash: optional("The hash of the newest version."),
};

export const VERDICTS = [
  "confirmed",
  "reverted",
  "canceled",
  "failed",
  "expired",
  "never_broadcast",
  "cancel_too_late",
  "earlier_version",
  "foreign",
  "gone",
  "pending",
];

const WHY = closed("Why it ended as it did; only in the output of `tx get --why`.", {
  verdict: word("What became of the transaction.", VERDICTS),
  why: text("Why, in one sentence."),
  by_record: flag("Whether only the record shows it."),
  reason: orNull(text("Why it reverted, on one line, or else the service's own reason.")),
  revert_data: orNull(text("The bytes of the revert reason, in hexadecimal digits.")),
  missing: texts("What could not be read, in words."),
});

export const TRANSACTION = open(
  "A transaction, as the service returns it. Its fields depend on the kind of the network.",
  {
    ...OF_EVERY_KIND,
    nonce: amount("EVM: the nonce"),
    from: optional("EVM: the address of the sender."),
    to: optional("EVM: the address of the receiver; null for the creation of a contract."),
    value: amount("EVM: the value in wei"),
    data: optional("EVM: the call data, in hexadecimal digits."),
    gas_limit: amount("EVM: the most gas that it may use"),
    gas_price: amount("EVM: the price of a legacy transaction, in wei per gas"),
    max_fee_per_gas: amount("EVM: the most that it pays in total, in wei per gas"),
    max_priority_fee_per_gas: amount("EVM: the most that it pays above the base fee, in wei per gas"),
    speed: optional("EVM: the speed that sets the price."),
    is_canceled: { description: "EVM: whether a cancellation was requested.", type: ["boolean", "null"] },
    signature: anything("EVM: the signature, an object or a text. Solana: the signature that identifies it."),
    transaction: optional("Solana: the serialized transaction, in Base64."),
    source_account: optional("Stellar: the address of the account that it is sent from."),
    fee: amount("Stellar: the fee in stroops"),
    sequence_number: amount("Stellar: the sequence number"),
    instructions: anything("Solana: the instructions."),
    transaction_result_xdr: optional("Stellar: the result, in Base64."),
    why: WHY,
  },
  ["id"],
);
