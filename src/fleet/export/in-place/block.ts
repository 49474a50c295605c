import type { JsonValue } from "../../../contract/json.ts";
import { type Child, lineEnd, type Part } from "../../source/text-parts.ts";
import { type Added, canRewrite, type NextChildren, type Rewriting } from "./next-children.ts";

/**
 * Returns the text of a collection of lines with other children. A child takes along the rest of its line, and the
 * comment lines before it.
 */
export async function rewriteBlock(part: Part, next: NextChildren, rewriting: Rewriting): Promise<string> {
  let text = "";
  for (const [index, child] of part.children.entries()) {
    const value = next.kept.get(index);
    if (value === undefined) continue;
    text += text === "" ? firstLead(part, index, rewriting.source) : leadOf(part, index, rewriting.source);
    text += await childText(part, child, value, rewriting);
  }
  for (const one of next.added) {
    text += text === "" ? firstLead(part, 0, rewriting.source) : newLead(part, rewriting);
    text += await addedText(part, one, rewriting);
  }
  return text;
}

/** Returns the text before the first child that stays. Its comments stay too, unless it moves to the line of a `- `. */
function firstLead(part: Part, index: number, source: string): string {
  const isBelow = part.start < part.at;
  if (index === 0 || !isBelow) return source.slice(part.start, part.children[0]?.start);
  return leadOf(part, index, source).replace(/^(?:\r?\n[ \t]*)+(?=\r?\n)/, "");
}

/** Returns the text from the end of the line before a child to the child: line ends, comments, indentation, and `- `. */
function leadOf({ children }: Part, index: number, source: string): string {
  return source.slice(lineEnd(source, children[index - 1]?.part.end ?? 0), children[index]?.start);
}

/** Returns the text before a new child, with an empty line if the last child has one. */
function newLead(part: Part, { source, newline }: Rewriting): string {
  const last = part.children.length - 1;
  const isSpaced = last > 0 && /^\r?\n[ \t]*\r?\n/.test(leadOf(part, last, source));
  const dash = Array.isArray(part.value) ? dashOf(part, source) : "";
  return `${isSpaced ? newline : ""}${newline}${" ".repeat(columnOf(part.at, source))}${dash}`;
}

function dashOf({ at, children }: Part, source: string): string {
  const dash = source.slice(at, children[0]?.start);
  return dash.includes("\n") ? "- " : dash;
}

async function childText(parent: Part, child: Child, value: JsonValue, rewriting: Rewriting): Promise<string> {
  const { source } = rewriting;
  const { part, start, key } = child;
  const end = lineEnd(source, part.end);
  if (value === part.value) return source.slice(start, end);
  const before = source.slice(start, part.start);
  const isFilled = part.form === "flow" && part.children.length === 0;
  if (canRewrite(part, value) && !isFilled)
    return before + (await rewriting.rewrite(part, value)) + source.slice(part.end, end);
  if (part.form === "block" || isLong(value))
    return await addedText(parent, { value, ...(key !== undefined && { key }) }, rewriting);
  const space = key !== undefined && !/\s$/.test(before) ? " " : "";
  return before + space + (await inlineText(value, rewriting)) + source.slice(part.end, end);
}

/** Returns whether a value takes lines in a block. */
function isLong(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Returns the text of a new child, whose first line is at the column of the others. */
async function addedText(part: Part, { key, value }: Added, rewriting: Rewriting): Promise<string> {
  const { source, newline, yaml } = rewriting;
  if (key === undefined && !isLong(value)) return await inlineText(value, rewriting);
  const written = await yaml(key === undefined ? value : { [key]: value });
  const column = columnOf(part.at, source) + (Array.isArray(part.value) ? dashOf(part, source).length : 0);
  return written
    .trimEnd()
    .split("\n")
    .join(newline + " ".repeat(column));
}

async function inlineText(value: JsonValue, { yaml }: Rewriting): Promise<string> {
  return (await yaml({ k: value })).slice("k: ".length).trimEnd();
}

function columnOf(at: number, source: string): number {
  return at - (source.lastIndexOf("\n", at - 1) + 1);
}
