import type { JsonObject } from "../contract/json.ts";
import { commandLine } from "../shell/shell-words.ts";
import { type ResourceView, toColumn, viewContextColumn, viewPlainFields } from "../terminal/view.ts";

/** The newest transactions of a relayer that are searched. */
export const MOST_SEARCHED = 1_000;

export interface Hit extends JsonObject {
  /** `relayer`, `transaction`, `notification`, `signer`, `network`, `plugin`, or `write`: a write in the journal. */
  kind: string;
  /** The context's name, `demo`, or the origin of the service. */
  context: string;
  relayer: string | null;
  id: string;
  what: string;
  command: string;
}

const FIELDS = ["kind", "context", "relayer", "id", "what", "command"];
/** The columns that the words about a hit take at most. */
const MOST = 60;

export const hitView: ResourceView<Hit> = hitsView(false);

export function hitsView(inContexts: boolean): ResourceView<Hit> {
  return {
    one: "match",
    many: "matches",
    table: [
      ...(inContexts ? [viewContextColumn<Hit>()] : []),
      { ...toColumn("kind", "kind"), worth: "always" },
      { ...toColumn("relayer", "relayer"), whole: true },
      { ...toColumn("id", "id"), isBelow: true },
      { ...toColumn("what", "what"), most: MOST, worth: 1 },
    ],
    ...viewPlainFields(FIELDS),
  };
}

export function createHit(
  { name, flags }: { name: string; flags: readonly string[] },
  { kind, relayer = null, id, what }: Pick<Hit, "kind" | "id" | "what"> & { relayer?: string | null },
  words: readonly string[],
): Hit {
  return { kind, context: name, relayer, id, what, command: commandLine(...flags, ...words) };
}
