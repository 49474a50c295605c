import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keysOf,
  listIn,
  prettyJson,
  writeJson,
} from "../../../contract/json.ts";
import type { Child, TextPart } from "../../source/text-parts.ts";

export async function rewriteFlow(part: TextPart, next: NextChildren, rewriting: Rewriting): Promise<string> {
  const { source } = rewriting;
  const { children } = part;
  const [open, close] = [source[part.start] ?? "", source[part.end - 1] ?? ""];
  if (children.length === 0) return fillFlow(part, next.added, rewriting);
  const gaps = children.map((_, index) => gapAfter(part, index, source));
  const texts: string[] = [];
  for (const [index, child] of children.entries()) {
    const value = next.kept.get(index);
    if (value === undefined) continue;
    const lead = texts.length === 0 ? firstLead(part, source) : (gaps[index - 1]?.after ?? "");
    texts.push(lead + (await childText(part, child, value, rewriting)) + (gaps[index]?.before ?? ""));
  }
  const lead = newLead(part, gaps, source);
  for (const one of next.added)
    texts.push((texts.length === 0 ? firstLead(part, source) : lead) + addedText(part, one, lead, rewriting));
  if (texts.length === 0) return open + close;
  const ending = source.slice(children.at(-1)?.part.end, part.end);
  return open + texts.join(",") + (next.added.length > 0 ? ending.replace(/^\s*,/, "") : ending);
}

/** The text between two children, before and after the comma. */
interface Gap {
  before: string;
  after: string;
}

const BEFORE_COMMA = /^(?:[^,#]|#[^\n]*\n)*/;

function gapAfter({ children }: TextPart, index: number, source: string): Gap {
  const next = children[index + 1];
  if (!next) return { before: "", after: "" };
  const gap = source.slice(children[index]?.part.end, next.start);
  const before = BEFORE_COMMA.exec(gap)?.[0] ?? "";
  return { before, after: gap.slice(before.length + 1) };
}

function firstLead({ start, children }: TextPart, source: string): string {
  return source.slice(start + 1, children[0]?.start);
}

function newLead(part: TextPart, gaps: readonly Gap[], source: string): string {
  const first = firstLead(part, source);
  const last = gaps.length > 1 ? (gaps.at(-2)?.after ?? "") : first.includes("\n") ? first : " ";
  return last.replaceAll(/#[^\n]*/g, "");
}

async function childText(parent: TextPart, child: Child, value: JsonValue, rewriting: Rewriting): Promise<string> {
  const { source } = rewriting;
  const { part, start, key } = child;
  if (value === part.value) return source.slice(start, part.end);
  const before = source.slice(start, part.start);
  if (canRewriteChildren(part, value)) return before + (await rewriting.rewrite(part, value));
  const colon = key !== undefined && !/:\s*$/.test(before) ? ": " : "";
  return before + colon + valueText(value, indentBefore(start, source), isLines(parent, source), rewriting);
}

function addedText(part: TextPart, { key, value }: Added, lead: string, rewriting: Rewriting): string {
  const text = valueText(value, lead.slice(lead.lastIndexOf("\n") + 1), isLines(part, rewriting.source), rewriting);
  if (key === undefined) return text;
  const isCompact = part.children.some((child) => rewriting.source[child.part.start - 1] === ":");
  return writeJson(key) + (isCompact ? ":" : ": ") + text;
}

function fillFlow(part: TextPart, added: readonly Added[], rewriting: Rewriting): string {
  const { source } = rewriting;
  const value = isJsonObject(part.value)
    ? Object.fromEntries(added.map((one) => [one.key ?? "", one.value]))
    : added.map((one) => one.value);
  return valueText(value, indentBefore(part.start, source), source.trimEnd().includes("\n"), rewriting);
}

function isLines({ start, end }: TextPart, source: string): boolean {
  return source.slice(start, end).includes("\n");
}

function indentBefore(at: number, source: string): string {
  return /^[ \t]*/.exec(source.slice(source.lastIndexOf("\n", at - 1) + 1))?.[0] ?? "";
}

function valueText(value: JsonValue, indent: string, isLong: boolean, { newline, step }: Rewriting): string {
  if (!isLong) return inlineValue(value);
  const lines = prettyJson(value).split("\n");
  return lines
    .map((line) => line.replace(/^(?: {2})+/, (spaces) => step.repeat(spaces.length / 2)))
    .join(newline + indent);
}

function inlineValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(inlineValue).join(", ")}]`;
  if (!isJsonObject(value)) return writeJson(value);
  return `{${keysOf(value)
    .map((key) => `${writeJson(key)}: ${inlineValue(value[key] ?? null)}`)
    .join(", ")}}`;
}

export interface Rewriting {
  source: string;
  newline: string;
  step: string;
  /** Returns a value as YAML, with a final line break. */
  yaml(value: JsonValue): Promise<string>;
  /** Returns the text of a collection with another value. Requires `canRewriteChildren`. */
  rewrite(part: TextPart, after: JsonValue): Promise<string>;
}

export interface NextChildren {
  /** By position in the collection; absent for a removed child. */
  kept: ReadonlyMap<number, JsonValue>;
  /** New children, which come last. */
  added: readonly Added[];
}

export interface Added {
  key?: string;
  value: JsonValue;
}

export function nextChildren(part: TextPart, after: JsonValue): NextChildren {
  return isJsonObject(after) ? nextMembers(part, after) : nextItems(part, after);
}

export function canRewriteChildren(part: TextPart, after: JsonValue): boolean {
  if (part.form === "scalar" || typeof after !== "object" || after === null) return false;
  if (Array.isArray(after) !== Array.isArray(part.value) || isJsonObject(after) !== isJsonObject(part.value))
    return false;
  return part.form === "flow" || Object.keys(after).length > 0;
}

function nextMembers({ children }: TextPart, after: JsonObject): NextChildren {
  const kept = children.flatMap(({ key = "" }, index) => {
    const value = Object.hasOwn(after, key) ? after[key] : undefined;
    return value === undefined ? [] : [[index, value] as const];
  });
  const names = new Set(children.map(({ key }) => key));
  const added = keysOf(after).flatMap((key) => (names.has(key) ? [] : [{ key, value: after[key] ?? null }]));
  return { kept: new Map(kept), added };
}

/** An item stays if it is equal, or a changed copy with the same ID. In another order, all are new. */
function nextItems({ children }: TextPart, after: JsonValue): NextChildren {
  const items = listIn(after);
  const left = [...items];
  const kept = new Map<number, JsonValue>();
  const take = (index: number, isIt: (value: JsonValue) => boolean) => {
    const at = kept.has(index) ? -1 : left.findIndex(isIt);
    if (at >= 0) for (const value of left.splice(at, 1)) kept.set(index, value);
  };
  children.forEach(({ part }, index) => {
    take(index, (value) => value === part.value);
  });
  children.forEach(({ part }, index) => {
    const id = itemId(part.value);
    take(index, (value) => id !== undefined && itemId(value) === id);
  });
  const inOrder = [...kept].sort(([one], [other]) => one - other).map(([, value]) => value);
  const isInOrder = [...inOrder, ...left].every((value, index) => value === items[index]);
  return isInOrder
    ? { kept, added: left.map((value) => ({ value })) }
    : { kept: new Map(), added: items.map((value) => ({ value })) };
}

/** The identity of an item: a resource, a network, a token, or an RPC URL. */
const IDS = ["id", "network", "mint", "asset", "url"];

function itemId(value: JsonValue): JsonValue | undefined {
  if (!isJsonObject(value)) return value;
  const name = IDS.find((id) => Object.hasOwn(value, id));
  return name === "network" ? `${value.type}:${value.network}` : name && value[name];
}
