import { isSignedXdr } from "../../../contract/xdr.ts";
import { askMemo } from "./memo.ts";
import type { Walk } from "./walk.ts";

/** interface 3.3. */
export async function stellarWords(walk: Walk): Promise<string[]> {
  const sender = await askSender(walk);
  const content = await askContent(walk);
  const memo = await askMemo(walk);
  const feeBump = await askFeeBump(walk);
  return [...sender, ...content, ...memo, ...feeBump, ...(await askLimits(walk))];
}

async function askSender(walk: Walk): Promise<string[]> {
  const { relayer, before } = walk;
  const account = typeof before?.source_account === "string" ? before.source_account : undefined;
  const network = relayer?.network ?? undefined;
  const named = await walk.request({
    member: "network",
    question: "Network:",
    suggestion: network,
    example: network ?? "testnet",
    says: (answer) => (network && answer !== network ? `is not the relayer's network, which is ${network}` : undefined),
  });
  const source = await walk.request({
    member: "source_account",
    ...(account === undefined
      ? { question: "Source account (enter: left out):", optional: true }
      : { question: "Source account:", suggestion: account }),
    example: "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7",
  });
  return [...named, ...source];
}

/** Operations and a built transaction exclude each other. */
async function askContent(walk: Walk): Promise<string[]> {
  if (CONTENTS.some(({ value }) => walk.has(value.member))) return [];
  return await walk.request(await walk.prompts.select("What it does:", CONTENTS));
}

const CONTENTS = [
  {
    name: "operations, from a JSON file",
    value: { member: "operations", question: "File with the operations:", example: "operations.json" },
  },
  {
    name: "a built transaction, as XDR",
    value: { member: "transaction_xdr", question: "Transaction XDR, as base64:", example: "AAAAAgAAAAE=" },
  },
];

/**
 * Prompted for if the contract allows it: for a prebuilt, signed transaction. A new transaction requires it
 * (facts 5.7).
 */
async function askFeeBump(walk: Walk): Promise<string[]> {
  const xdr = await walk.value("transaction_xdr");
  if (walk.has("fee_bump") || typeof xdr !== "string" || isSignedXdr(xdr) !== true) return [];
  const wrap = { value: ["--fee-bump"], name: "wrap the signed transaction" };
  if (walk.act === "replace")
    return await walk.prompts.select("Fee bump:", [wrap, { value: [], name: "leave it as it is" }]);
  // An entry that a user signed stands in its place.
  return walk.has("signed_auth_entry") ? [] : await walk.prompts.select("Fee bump:", [wrap]);
}

async function askLimits(walk: Walk): Promise<string[]> {
  const fee = await walk.request({
    member: "max_fee",
    question: "Max fee (enter: 1000000 stroops):",
    optional: true,
    example: "0.1xlm",
  });
  const until = await walk.request({
    member: "valid_until",
    question: "Valid until (enter: left out):",
    optional: true,
    example: "2030-01-31T12:00:00Z",
  });
  return [...fee, ...until];
}
