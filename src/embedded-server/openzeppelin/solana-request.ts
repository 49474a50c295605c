import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { relayerRules } from "../../contract/relayer-rules.ts";
import { transactionSchemas } from "../../contract/requests.ts";
import { feePayerOf } from "../../contract/transaction/solana-transaction.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { flag, listOf, optional, struct, text } from "./serde.ts";

const loose = { strict: false };
const account = struct(
  "AccountMeta",
  { pubkey: text, is_signer: flag, is_writable: flag },
  { ...loose, required: ["pubkey", "is_signer", "is_writable"] },
);
const instruction = struct(
  "SolanaInstructionSpec",
  { program_id: text, accounts: listOf(account), data: text },
  { ...loose, required: ["program_id", "accounts", "data"] },
);
const readRequest = struct(
  "SolanaTransactionRequest",
  { transaction: optional(text), instructions: optional(listOf(instruction)), valid_until: optional(text) },
  loose,
);

/** Reads a Solana request (facts 5.8). A transaction is decoded before anything else is checked. */
export function readSolana(relayer: Resource, value: JsonValue, now: number): JsonObject {
  const body = readRequest(value) as JsonObject;
  const [first] = [
    ...untilRule(body, now),
    ...(transactionSchemas.solana.safeParse(body).error?.issues ?? []).map(
      ({ path, message }) => `${getSource(path.join("."))}${message}`,
    ),
    ...decodeRule(body),
    ...relayerRules.solana(body, relayer).map(({ path, rule }) => `${getSource(path)}${rule}`),
  ];
  if (first !== undefined) throw new Refusal(400, first);
  return body;
}

function decodeRule({ transaction }: JsonObject): string[] {
  if (typeof transaction !== "string" || feePayerOf(transaction) !== undefined) return [];
  return ["Failed to decode transaction: Failed to deserialize transaction: io error: unexpected end of file"];
}

function untilRule({ valid_until: until }: JsonObject, now: number): string[] {
  if (typeof until !== "string") return [];
  const timestamp = Date.parse(until);
  if (Number.isNaN(timestamp)) return ["valid_until must be a valid RFC3339 timestamp"];
  return timestamp < now ? ["valid_until cannot be in the past"] : [];
}

/** Returns `Instruction 0 account 1: ` if the path is inside an instruction. */
function getSource(path: string): string {
  const [, index, at] = /^instructions\.([0-9]+)(?:\.accounts\.([0-9]+))?/.exec(path) ?? [];
  if (index === undefined) return "";
  return `Instruction ${index}${at === undefined ? "" : ` account ${at}`}: `;
}
