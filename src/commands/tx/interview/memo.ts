import { MEMO_TYPES } from "../body/memo-flag.ts";
import type { BodyPrompts } from "./body-prompts.ts";

const HASH = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const EXAMPLES: Record<string, string> = { text: "refund", id: "7", hash: HASH, return: HASH };

/** Prompts for a memo (interface 3.4): a type, and for all but one a value. */
export async function askMemo(bodyPrompts: BodyPrompts): Promise<string[]> {
  if (bodyPrompts.has("memo") || bodyPrompts.act === "complete") return [];
  const type = await bodyPrompts.prompts.select("Memo:", [
    { value: undefined, name: "leave it out" },
    ...MEMO_TYPES.map((value) => ({ value, name: value })),
  ]);
  if (type === undefined) return [];
  const example = EXAMPLES[type];
  if (example === undefined) return bodyPrompts.take("memo", type);
  return await bodyPrompts.request({ field: "memo", question: `Memo, ${type}:`, prefix: `${type}:`, example });
}
