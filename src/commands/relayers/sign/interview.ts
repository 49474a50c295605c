import { readId } from "../../../command-support/ids.ts";
import { type FlagQuestion, promptForFlags } from "../../../command-support/prompting/prompts.ts";
import { dryRunReach } from "../../../command-support/shown.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../../contract/network-kind.ts";
import { Problems } from "../../../contract/problems.ts";
import { bodyFieldRule, bodyFlag } from "../../../contract/requests/body-problems.ts";
import { signTransactionSchema, signTypedDataSchema } from "../../../contract/requests.ts";
import { ONE_OF_KIND } from "../../../contract/transaction/body-kind.ts";
import { RelayctlError } from "../../../errors.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { Call } from "../../command.ts";

const MESSAGE: FlagQuestion = {
  flag: "--message",
  question: "Message:",
  example: "'log in as 42'",
  problem: () => undefined,
};

export async function signMessageInterview(call: Call, isTyped: boolean): Promise<void> {
  if (isTyped || !(await hasRelayer(call))) return;
  await refuseKind(call, NO_MESSAGE);
  await promptForFlags(call, [MESSAGE]);
}

async function hasRelayer(call: Call): Promise<boolean> {
  const problems = new Problems();
  await readId(call, problems, "id", call.args[0]);
  return problems.found.length === 0;
}

export async function signTypedDataInterview(call: Call, body: JsonObject): Promise<void> {
  const isWrong = Object.keys(body).some((field) => bodyFieldRule(signTypedDataSchema, field, body[field] ?? null));
  if (isWrong || !(await hasRelayer(call))) return;
  const missing = HASHES.filter(({ field }) => body[field] === undefined);
  if (missing.length > 0) await refuseKind(call, NO_TYPED_DATA);
  await promptForFlags(call, missing);
}

const HASHES = [
  { field: "domain_separator", question: "Domain separator, 32 bytes of hex:" },
  { field: "hash_struct_message", question: "Hash of the message, 32 bytes of hex:" },
].map(({ field, question }) => ({
  field,
  flag: bodyFlag(field),
  question,
  example: `0x${"00ff".repeat(16)}`,
  problem: (text: string) => bodyFieldRule(signTypedDataSchema, field, text),
}));

export async function signTransactionInterview(call: Call, isTyped: boolean): Promise<void> {
  if (isTyped || !(await hasRelayer(call))) return;
  const known = await refuseKind(call, { evm: "sign_transaction not supported for EVM" });
  const kind = known ?? (await (await call.app.prompts()).select("Kind of network:", KINDS));
  if (kind !== "evm") await promptForFlags(call, [TRANSACTIONS[kind]]);
}

const NO_SOLANA = "Endpoint is not supported for Solana relayers";
const NO_MESSAGE = { solana: NO_SOLANA, stellar: "Signing data not supported for Stellar" };
const NO_TYPED_DATA = { solana: NO_SOLANA, stellar: "Signing typed data not supported for Stellar" };

/** Returns the kind of the relayer's network, if it may be looked up. @param words a refusal (facts 3.2) */
async function refuseKind(call: Call, words: Partial<Record<NetworkKind, string>>): Promise<NetworkKind | undefined> {
  if (dryRunReach(call) === "nothing") return undefined;
  const { client, flags } = await call.session();
  const { id, network_type: kind } = (await client.relayers.get(call.args[0] ?? "")).data;
  if (!isNetworkKind(kind)) return undefined;
  const refusal = words[kind];
  if (refusal === undefined) return kind;
  throw new RelayctlError("usage", refusal, {
    because: [`${id} is ${ONE_OF_KIND[kind]} relayer; nothing was sent`],
    hint: commandLine(...flags, "relayers", "get", id),
  });
}

const KINDS = [
  { value: "stellar", name: "stellar" },
  { value: "solana", name: "solana" },
] as const;

const TRANSACTIONS = {
  stellar: transactionQuestion("unsigned_xdr", "Transaction envelope, XDR as base64:", "AAAAAgAAAAA="),
  solana: transactionQuestion("transaction", "Transaction, serialized, as base64:", "AQABAg=="),
};

function transactionQuestion(field: string, question: string, example: string): FlagQuestion {
  const problem = (text: string) => bodyFieldRule(signTransactionSchema, field, text);
  return { flag: bodyFlag(field), question, example, problem };
}
