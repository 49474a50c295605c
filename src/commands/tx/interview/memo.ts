import { MEMO_TYPES } from "../memo-flag.ts";
import type { Walk } from "./walk.ts";

const HASH = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const EXAMPLES: Record<string, string> = { text: "refund", id: "7", hash: HASH, return: HASH };

/** interface 3.4: a type, and for all but one a value. */
export async function askMemo(walk: Walk): Promise<string[]> {
  if (walk.has("memo") || walk.act === "complete") return [];
  const type = await walk.prompts.select("Memo:", [
    { value: undefined, name: "leave it out" },
    ...MEMO_TYPES.map((value) => ({ value, name: value })),
  ]);
  if (type === undefined) return [];
  const example = EXAMPLES[type];
  if (example === undefined) return walk.take("memo", type);
  return await walk.request({ member: "memo", question: `Memo, ${type}:`, prefix: `${type}:`, example });
}
