import { base64Bytes } from "../../../contract/encoding/base64.ts";
import { relayerRules } from "../../../contract/relayer-rules.ts";
import type { Choice } from "../../../terminal/prompts.ts";
import type { BodyPrompts, FieldQuestion } from "./body-prompts.ts";

/** Prompts for the fields of interface 3.2 and facts 5.8. */
export async function askSolana(bodyPrompts: BodyPrompts): Promise<void> {
  if (bodyPrompts.act === "replace") return await bodyPrompts.request(TRANSACTION);
  const until = { field: "valid_until", question: "Valid until (Enter skips it):", optional: true };
  await askContent(bodyPrompts);
  await bodyPrompts.request({ ...until, example: "2030-01-31T12:00:00Z" });
}

/** Prompts for the content: prebuilt, or instructions, unless the relayer's users pay (facts 5.8). */
async function askContent(bodyPrompts: BodyPrompts): Promise<void> {
  if (bodyPrompts.has("transaction") || bodyPrompts.has("instructions")) return;
  if (bodyPrompts.relayer && relayerRules.solana({ instructions: [] }, bodyPrompts.relayer).length > 0)
    return await bodyPrompts.request(TRANSACTION);
  return await bodyPrompts.request(await bodyPrompts.prompts.select("What it does:", CONTENTS));
}

const TRANSACTION = {
  field: "transaction",
  question: "Transaction, serialized, as base64:",
  example: "AQABAgMEBQYHCAkKCwwNDg8=",
  says: (answer: string) => (base64Bytes(answer) === undefined ? "is not base64, with its padding" : undefined),
};

const CONTENTS: readonly Choice<FieldQuestion>[] = [
  { name: "a built transaction, as base64", value: TRANSACTION },
  {
    name: "instructions, from a JSON file",
    value: { field: "instructions", question: "File with the instructions:", example: "instructions.json" },
  },
];
