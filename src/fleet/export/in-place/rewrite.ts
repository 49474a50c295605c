import type { JsonValue } from "../../../contract/json.ts";
import type { Part } from "../../source/text-parts.ts";
import { rewriteBlock } from "./block.ts";
import { rewriteFlow } from "./flow.ts";
import { nextChildren, type Rewriting } from "./next-children.ts";

/**
 * Returns a text with another value. Whatever stays keeps its text, its comments, and its position; what is new comes
 * last.
 * @param after the value, in which each object of `root.value` that stays is the same object
 */
export async function rewritten(root: Part, after: JsonValue, text: Omit<Rewriting, "rewrite">): Promise<string> {
  const rewriting: Rewriting = {
    ...text,
    rewrite: async (part, value) => {
      if (value === part.value) return text.source.slice(part.start, part.end);
      const next = nextChildren(part, value);
      return part.form === "block"
        ? await rewriteBlock(part, next, rewriting)
        : await rewriteFlow(part, next, rewriting);
    },
  };
  const { source } = text;
  return source.slice(0, root.start) + (await rewriting.rewrite(root, after)) + source.slice(root.end);
}
