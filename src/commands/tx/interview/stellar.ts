import { isSignedXdr } from "../../../contract/encoding/xdr.ts";
import { MEMO_TYPES } from "../body/memo-flag.ts";
import type { BodyPrompts } from "./body-prompts.ts";

/** Prompts for the fields of interface 3.3. */
export async function askStellar(bodyPrompts: BodyPrompts): Promise<void> {
  await askSender(bodyPrompts);
  await askContent(bodyPrompts);
  await askMemo(bodyPrompts);
  await askFeeBump(bodyPrompts);
  await askLimits(bodyPrompts);
}

async function askSender(bodyPrompts: BodyPrompts): Promise<void> {
  const { relayer, before } = bodyPrompts;
  const account = typeof before?.source_account === "string" ? before.source_account : undefined;
  const network = relayer?.network ?? undefined;
  await bodyPrompts.request({
    field: "network",
    question: "Network:",
    suggestion: network,
    example: network ?? "testnet",
    says: (answer) => (network && answer !== network ? `is not the relayer's network, which is ${network}` : undefined),
  });
  await bodyPrompts.request({
    field: "source_account",
    ...(account === undefined
      ? { question: "Source account (Enter skips it):", optional: true }
      : { question: "Source account:", suggestion: account }),
    example: "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7",
  });
}

async function askContent(bodyPrompts: BodyPrompts): Promise<void> {
  if (CONTENTS.some(({ value }) => bodyPrompts.has(value.field))) return;
  return await bodyPrompts.request(await bodyPrompts.prompts.select("What it does:", CONTENTS));
}

const CONTENTS = [
  {
    name: "operations, from a JSON file",
    value: { field: "operations", question: "File with the operations:", example: "operations.json" },
  },
  {
    name: "a built transaction, as XDR",
    value: { field: "transaction_xdr", question: "Transaction XDR, as base64:", example: "AAAAAgAAAAE=" },
  },
];

/** Prompts for a fee bump where allowed: for a signed transaction. A new one requires it (facts 5.7). */
async function askFeeBump(bodyPrompts: BodyPrompts): Promise<void> {
  const xdr = await bodyPrompts.value("transaction_xdr");
  if (bodyPrompts.has("fee_bump") || typeof xdr !== "string" || isSignedXdr(xdr) !== true) return;
  // An entry signed by a user replaces it.
  if (bodyPrompts.act !== "replace" && bodyPrompts.has("signed_auth_entry")) return;
  const wrap = { value: ["--fee-bump"], name: "wrap the signed transaction" };
  const leave = bodyPrompts.act === "replace" ? [{ value: [], name: "leave it as it is" }] : [];
  bodyPrompts.entered.add(await bodyPrompts.prompts.select<string[]>("Fee bump:", [wrap, ...leave]));
}

async function askLimits(bodyPrompts: BodyPrompts): Promise<void> {
  await bodyPrompts.request({
    field: "max_fee",
    question: "Max fee (Enter sets 1000000 stroops):",
    optional: true,
    example: "0.1xlm",
  });
  await bodyPrompts.request({
    field: "valid_until",
    question: "Valid until (Enter skips it):",
    optional: true,
    example: "2030-01-31T12:00:00Z",
  });
}

const HASH = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const EXAMPLES: Record<string, string> = { text: "refund", id: "7", hash: HASH, return: HASH };

/** Prompts for a memo (interface 3.4): a type, and for all but one a value. */
async function askMemo(bodyPrompts: BodyPrompts): Promise<void> {
  if (bodyPrompts.has("memo") || bodyPrompts.act === "complete") return;
  const type = await bodyPrompts.prompts.select("Memo:", [
    { value: undefined, name: "leave it out" },
    ...MEMO_TYPES.map((value) => ({ value, name: value })),
  ]);
  if (type === undefined) return;
  const example = EXAMPLES[type];
  if (example === undefined) return bodyPrompts.take("memo", type);
  return await bodyPrompts.request({ field: "memo", question: `Memo, ${type}:`, prefix: `${type}:`, example });
}
