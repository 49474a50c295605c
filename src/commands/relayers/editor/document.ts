import { prettyJson, writeJson } from "../../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { visible, visibleJson } from "../../../terminal/escape.ts";
import { networkCell } from "../view.ts";
import { type Entry, entriesOf } from "./entries.ts";

/**
 * Returns a relayer as JSON with comments, for an editor: everything that can be changed, the allowed values, and the
 * meaning of null.
 * @param context the context's name, for the user
 * @param symbol the symbol of the network's coin, if known
 */
export function documentOf(relayer: Relayer, context: string, symbol: string | undefined): string {
  const comments = header(relayer, context).map((line) => `// ${line}`.trimEnd());
  return [...comments, "{", ...fieldLines(entriesOf(relayer, symbol), "  "), "}", ""].join("\n");
}

const EXAMPLES: Record<NetworkKind, string> = { evm: "80gwei", solana: "0.01sol", stellar: "0.1xlm" };

function header(relayer: Relayer, context: string): string[] {
  const { id, network_type: kind } = relayer;
  return [
    [id, networkCell(relayer).text, context].map(visible).join(" · "),
    "",
    "Edit the values, save, and close the editor. You see the changes and confirm them before they are sent.",
    "A field that is null or deleted is cleared; the comment above it says what then applies.",
    ...(isNetworkKind(kind)
      ? [`An amount is a whole number or a string with a unit, e.g. "${EXAMPLES[kind]}".`]
      : ["The policies are not shown: this version of relayctl does not know this kind of relayer."]),
    "If the file is unchanged or empty, nothing is sent. Comments are ignored.",
  ];
}

function fieldLines(entries: readonly Entry[], indent: string): string[] {
  return entries.flatMap((entry, index) => {
    const notes = entry.notes.map((note) => `${indent}// ${note}`);
    const [first = "", ...rest] = valueLines(entry, indent);
    const lines = [`${indent}${writeJson(entry.key)}: ${first}`, ...rest];
    const comma = index < entries.length - 1 ? "," : "";
    const reading = entry.reading === undefined ? "" : ` // ${entry.reading}`;
    return [...notes, ...lines.slice(0, -1), lines.at(-1) + comma + reading];
  });
}

function valueLines({ value, fields }: Entry, indent: string): string[] {
  if (fields) return ["{", ...fieldLines(fields, `${indent}  `), `${indent}}`];
  const [first = "", ...rest] = visibleJson(prettyJson(value)).split("\n");
  return [first, ...rest.map((line) => indent + line)];
}
