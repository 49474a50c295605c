import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import { byText } from "../../compare/canonical-json.ts";
import {
  type DesiredFleet,
  type DesiredResource,
  desiredNetworkId,
  type FilePlace,
  FLEET_NOUNS,
  type FleetNoun,
} from "../../desired-fleet.ts";
import type { LiveFleet } from "../../live.ts";
import type { Plan } from "../../plan.ts";
import { type Child, type TextPart, textLineEnd, textParts } from "../../source/text-parts.ts";
import { documentWithFacts } from "../fleet-document.ts";
import { type ExportOptions, exportedResource } from "../resource.ts";
import {
  type Added,
  canRewriteChildren,
  type NextChildren,
  nextChildren,
  type Rewriting,
  rewriteFlow,
} from "./flow.ts";
import { updatedItem } from "./update-item.ts";

export interface FileComparison {
  texts: ReadonlyMap<string, string>;
  desired: DesiredFleet;
  live: LiveFleet;
  plan: Pick<Plan, "changes" | "cannot" | "outside">;
}

export interface UpdateOptions {
  showUrls: boolean;
  yaml: Rewriting["yaml"];
}

export interface ResourceName {
  noun: FleetNoun;
  id: string;
}

export interface KeptValue extends ResourceName {
  path: string;
  place: FilePlace;
}

/** Returns the texts of files with the service's values. Only differences change; new resources come last. */
export async function updatedTexts(comparison: FileComparison, options: UpdateOptions) {
  const texts = new Map(comparison.texts);
  const roots = new Map<string, TextPart>();
  for (const [path, text] of texts) {
    const root = await textParts(text);
    if (root) roots.set(path, root);
  }
  const update: Update = {
    comparison,
    options,
    bases: basesIn(roots.values()),
    claimed: new Set(),
    kept: [],
    added: [],
    removed: [],
  };
  for (const [path, root] of roots) {
    const value = updatedValue(path, root, update);
    const source = texts.get(path) ?? "";
    if (value !== root.value)
      texts.set(path, await updatedPart(root, value, { source, ...layoutOf(source), yaml: options.yaml }));
  }
  const { kept, added, removed } = update;
  return {
    texts,
    /** Values from elsewhere, which still differ. */
    kept,
    added,
    /** The resources that only the files had. */
    removed,
  };
}

function layoutOf(source: string): Pick<Rewriting, "newline" | "step"> {
  return { newline: source.includes("\r\n") ? "\r\n" : "\n", step: /\n([ \t]+)\S/.exec(source)?.[1] ?? "  " };
}

interface Update {
  comparison: FileComparison;
  options: UpdateOptions;
  bases: ReadonlySet<string>;
  /** The nouns whose new resources have a file. */
  claimed: Set<FleetNoun>;
  kept: KeptValue[];
  added: ResourceName[];
  removed: ResourceName[];
}

function updatedValue(path: string, root: TextPart, update: Update): JsonValue {
  const { live } = update.comparison;
  let { value } = root;
  for (const noun of FLEET_NOUNS) {
    const list = isJsonObject(value) ? value[noun] : undefined;
    if (!isJsonObject(value) || !Array.isArray(list) || live.unavailable.includes(noun)) continue;
    const notation = isJson(path, root) ? "json" : "yaml";
    const next = updatedList(
      noun,
      list,
      path,
      update,
      documentWithFacts({ notation, showUrls: update.options.showUrls }, live),
    );
    const isSame = next.length === list.length && next.every((item, index) => item === list[index]);
    if (!isSame) value = { ...value, [noun]: next };
  }
  return value;
}

function isJson(path: string, { form }: TextPart): boolean {
  return /\.json$/i.test(path) || (form === "flow" && !/\.ya?ml$/i.test(path));
}

function updatedList(noun: FleetNoun, list: JsonArray, path: string, update: Update, options: ExportOptions) {
  const { desired, live } = update.comparison;
  const described = desired.resources.filter((resource) => resource.noun === noun);
  const here = described.filter(({ place }) => place.file === path);
  const stay = list.flatMap((written, index): JsonValue[] => {
    const resource = here[index];
    if (!resource || !isJsonObject(written)) return [written];
    const now = live.resources[noun].get(resource.id);
    if (now) return [updatedResource(written, resource, now, update, options)];
    if (noun === "networks" && update.bases.has(resource.id)) return [written];
    update.removed.push({ noun, id: resource.id });
    return [];
  });
  if (update.claimed.has(noun)) return stay;
  update.claimed.add(noun);
  const ids = new Set(described.map(({ id }) => id));
  const added = [...live.resources[noun]].filter(([id]) => !ids.has(id)).sort(([one], [other]) => byText(one, other));
  update.added.push(...added.map(([id]) => ({ noun, id })));
  return [...stay, ...added.map(([, resource]) => exportedResource(noun, resource, options))];
}

function updatedResource(
  written: JsonObject,
  desired: DesiredResource,
  live: JsonObject,
  { comparison, kept }: Update,
  options: ExportOptions,
): JsonObject {
  const { noun, id } = desired;
  const paths = differingPaths(desired, comparison.plan);
  if (paths.length === 0) return written;
  const exported = exportedResource(noun, live, options);
  const keep = (path: string) => void kept.push({ noun, id, path, place: desired.placeOf(path) });
  return updatedItem({ written, desired, live, exported }, paths, keep);
}

function basesIn(roots: Iterable<TextPart>): Set<string> {
  const networks = [...roots].flatMap(({ value }) =>
    isJsonObject(value) && Array.isArray(value.networks) ? value.networks : [],
  );
  return new Set(
    networks.flatMap((item) => (isJsonObject(item) && item.from ? [desiredNetworkId(item.type, item.from)] : [])),
  );
}

function differingPaths({ noun, id }: ResourceName, { changes, cannot, outside }: FileComparison["plan"]): string[] {
  const isIts = (other: ResourceName) => other.noun === noun && other.id === id;
  return [
    ...changes.filter(isIts).flatMap(({ members }) => members.map(({ path }) => path)),
    ...cannot.filter(isIts).map(({ path }) => path),
    ...outside.filter(isIts).flatMap(({ path }) => path ?? []),
  ];
}

/** Unchanged parts keep their text and comments; new parts come last. @param after has the same unchanged objects */
export async function updatedPart(root: TextPart, after: JsonValue, text: Omit<Rewriting, "rewrite">): Promise<string> {
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

async function rewriteBlock(part: TextPart, next: NextChildren, rewriting: Rewriting): Promise<string> {
  let text = "";
  for (const [index, child] of part.children.entries()) {
    const value = next.kept.get(index);
    if (value === undefined) continue;
    text += text === "" ? firstLead(part, index, rewriting.source) : leadBefore(part, index, rewriting.source);
    text += await childText(part, child, value, rewriting);
  }
  for (const one of next.added) {
    text += text === "" ? firstLead(part, 0, rewriting.source) : newLead(part, rewriting);
    text += await addedText(part, one, rewriting);
  }
  return text;
}

/** Returns the text before the first child that stays, with its comments, unless it moves to the line of a `- `. */
function firstLead(part: TextPart, index: number, source: string): string {
  const isBelow = part.start < part.at;
  if (index === 0 || !isBelow) return source.slice(part.start, part.children[0]?.start);
  return leadBefore(part, index, source).replace(/^(?:\r?\n[ \t]*)+(?=\r?\n)/, "");
}

/** Returns the text from the end of the line before a child to the child: line ends, comments, indentation, and `- `. */
function leadBefore({ children }: TextPart, index: number, source: string): string {
  return source.slice(textLineEnd(source, children[index - 1]?.part.end ?? 0), children[index]?.start);
}

/** Returns the text before a new child, with an empty line if the last child has one. */
function newLead(part: TextPart, { source, newline }: Rewriting): string {
  const last = part.children.length - 1;
  const isSpaced = last > 0 && /^\r?\n[ \t]*\r?\n/.test(leadBefore(part, last, source));
  const dash = Array.isArray(part.value) ? dashOf(part, source) : "";
  return `${isSpaced ? newline : ""}${newline}${" ".repeat(columnAt(part.at, source))}${dash}`;
}

function dashOf({ at, children }: TextPart, source: string): string {
  const dash = source.slice(at, children[0]?.start);
  return dash.includes("\n") ? "- " : dash;
}

async function childText(parent: TextPart, child: Child, value: JsonValue, rewriting: Rewriting): Promise<string> {
  const { source } = rewriting;
  const { part, start, key } = child;
  const end = textLineEnd(source, part.end);
  if (value === part.value) return source.slice(start, end);
  const before = source.slice(start, part.start);
  const isFilled = part.form === "flow" && part.children.length === 0;
  if (canRewriteChildren(part, value) && !isFilled)
    return before + (await rewriting.rewrite(part, value)) + source.slice(part.end, end);
  if (part.form === "block" || isLong(value))
    return await addedText(parent, { value, ...(key !== undefined && { key }) }, rewriting);
  const space = key !== undefined && !/\s$/.test(before) ? " " : "";
  return before + space + (await inlineText(value, rewriting)) + source.slice(part.end, end);
}

function isLong(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

async function addedText(part: TextPart, { key, value }: Added, rewriting: Rewriting): Promise<string> {
  const { source, newline, yaml } = rewriting;
  if (key === undefined && !isLong(value)) return await inlineText(value, rewriting);
  const written = await yaml(key === undefined ? value : { [key]: value });
  const column = columnAt(part.at, source) + (Array.isArray(part.value) ? dashOf(part, source).length : 0);
  return written
    .slice(0, -"\n".length)
    .split("\n")
    .join(newline + " ".repeat(column));
}

async function inlineText(value: JsonValue, { yaml }: Rewriting): Promise<string> {
  return (await yaml({ k: value })).slice("k: ".length, -"\n".length);
}

function columnAt(at: number, source: string): number {
  return at - (source.lastIndexOf("\n", at - 1) + 1);
}
