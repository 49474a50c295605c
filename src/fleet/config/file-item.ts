import type * as z from "zod/mini";
import { isNumber } from "../../contract/decimal.ts";
import { idProblem, newIdProblem } from "../../contract/id.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonLeavesIn,
  jsonValueAt,
  NumberLiteral,
  writeJson,
} from "../../contract/json.ts";
import { brokenRules } from "../../contract/requests/broken-rules.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import { secretRpcUrlParts } from "../../contract/rpc-url.ts";
import {
  type DesiredResource,
  desiredNetworkId,
  type FilePlace,
  type FleetNoun,
  sourcePlaceIn,
} from "../desired-fleet.ts";
import type { FleetSources } from "../sources.ts";
import type { FileFinding, FileReport } from "./file-report.ts";
import { interpolationLiteral, type LoadedDocument, rebasedInterpolation, type UnsetError } from "./load-document.ts";

export const NOT_SEEN =
  "may only be made of variables whose values may be seen: add --allow-env NAME, which is never a token's";

export const NOT_NULL = "a service does not read null; leave it out";

const POINTERS = Object.entries(relayerFields).flatMap(([name, field]) =>
  "create" in field && "refersTo" in field.create ? [name] : [],
);

/** Returns the members of a resource that every plan shows: its identity, and references to other resources. */
function seenMembers(noun: FleetNoun): readonly string[] {
  if (noun === "networks") return ["type", "network", "from"];
  return noun === "relayers" ? ["id", "network", "network_type", ...POINTERS] : ["id"];
}

/** Words of examples: `YOUR_KEY`, `your-project-id`, `https://your-vault.example.org`, `<key>`, `changeme`. */
const WORDS = [
  /(?:^|[^A-Za-z0-9])your[-_ ][a-z]/i,
  /<[^<>]+>/,
  /^(?:change|replace|fill)[-_ ]?(?:me|this|in)(?:$|[^a-z])/i,
  /^(?:todo|tbd|fixme|x{4,}|\.{3}|…)$/i,
];

const ZEROS = /^(?:0x)?0{32,}$/;

/** Returns whether a text is a placeholder; the words of a variable are meant literally. */
function isPlaceholder(text: string, isWritten: boolean): boolean {
  return text === "" || ZEROS.test(text) || (isWritten && WORDS.some((word) => word.test(text)));
}

const LONGEST_SHOWN = 200;

function shownValue(value: JsonValue): string | undefined {
  if (Array.isArray(value) || isJsonObject(value)) return undefined;
  const text = typeof value === "string" ? value : value instanceof NumberLiteral ? value.text : writeJson(value);
  return text.length > LONGEST_SHOWN ? undefined : text || "(empty)";
}

/** A plan does not compare it, but no service starts with it. No service reads YAML. */
const UNFILLED = {
  severity: "note",
  code: "placeholder",
  message: "a service does not start with a hidden value",
} as const;

export interface ItemReading {
  sources: FleetSources;
  report: FileReport;
}

/** Members that may be secret, or very long: errors never show their values. */
const UNSHOWN = /(?:^|\.)(?:url|signing_key|rpc_urls|custom_rpc_urls)(?:\.|$)|^config(?:\.|$)/;

/** Members that an example leaves blank for the reader. */
const FILLED_IN = /^(?:url|signing_key|config|rpc_urls|custom_rpc_urls)(?:\.|$)/;

/** An item of a list in a file; paths are relative to it. */
export class FileItem {
  readonly noun: FleetNoun;
  readonly document: LoadedDocument;
  /** Its dotted path in the document: `relayers.3`. */
  readonly at: string;
  readonly value: JsonObject;
  readonly reading: ItemReading;
  readonly references = new Map<string, string>();
  /** The paths of values that are shown as references. */
  readonly hidden = new Set<string>();
  /** The paths of addresses from labels, where a wrong address is a mistake, not unfinished. */
  readonly labels = new Set<string>();
  /** The members whose values are not in the file. */
  private readonly exempt = new Set<string>();

  constructor(noun: FleetNoun, document: LoadedDocument, at: string, value: JsonObject, reading: ItemReading) {
    this.noun = noun;
    this.document = document;
    this.at = at;
    this.value = value;
    this.reading = reading;
  }

  get place(): FilePlace {
    return sourcePlaceIn(this.document, this.at);
  }

  full(path: string): string {
    return path === "" ? this.at : `${this.at}.${path}`;
  }

  isFromElsewhere(path: string): boolean {
    return (this.document.interpolations.get(this.full(path))?.values.length ?? 0) > 0;
  }

  problem(path: string, rule: string, given?: JsonValue, kind: ProblemKind = {}): void {
    this.report(path, rule, given, kind);
  }

  /** Reports a problem unless the service has the value, too; a placeholder is only unfinished. */
  doubt(path: string, rule: string, given?: JsonValue, kind: ProblemKind = {}): void {
    const { noun, id } = this;
    // Some IDs can't be in a request.
    const scope = path === "id" && idProblem(id) !== undefined ? "" : path;
    const isUnfinished = typeof given === "string" && isPlaceholder(given, this.isWritten(path));
    const doubt = {
      ...{ noun, id, path: scope },
      ...(given === undefined && { isMissing: true as const }),
      ...(isUnfinished && { fix: `fill in ${path}` }),
    };
    const isCertain = id === "" || this.labels.has(path);
    this.report(path, rule, given, { ...kind, ...(!isCertain && { doubt }) });
  }

  reportPlaceholders(fields: JsonObject): void {
    for (const { leaf, path } of jsonLeavesIn(fields)) {
      const isOpen = FILLED_IN.test(path) && typeof leaf === "string" && leaf !== "" && !this.isSettled(path);
      if (isOpen && isPlaceholder(leaf, this.isWritten(path))) this.doubt(path, "is a placeholder", leaf);
    }
  }

  private isWritten(path: string): boolean {
    const reference = this.references.get(path);
    return reference?.startsWith("${source:") ?? !this.document.interpolations.has(this.full(path));
  }

  /** Neither shows a value from elsewhere nor suggests one. */
  private report(path: string, rule: string, given: JsonValue | undefined, kind: Parameters<FileReport["problem"]>[3]) {
    const { document, reading } = this;
    const isElsewhere = document.interpolations.has(this.full(path));
    const isShown = given !== undefined && !UNSHOWN.test(path) && !isElsewhere;
    const text = isElsewhere ? rule.replace(/ \(did you mean [^()]*\?\)/, "") : rule;
    reading.report.problem(document, this.full(path), text, {
      ...kind,
      given: isShown ? shownValue(given) : undefined,
    });
  }

  private get id(): string {
    const { noun, value } = this;
    if (noun === "networks") return desiredNetworkId(value.type, value.network);
    return typeof value.id === "string" ? value.id : "";
  }

  /** @param endsStart whether no service starts with this file, although a plan takes it */
  warn(path: string, text: string, endsStart = false): void {
    const isError = endsStart && this.document.format === "json";
    this.reading.report.warn(this.document, this.full(path), text, isError);
  }

  /** Reports what ends the start of a service with this file, although a plan takes it. No service reads YAML. */
  refuseStart(path: string, message: string, code: FileFinding["code"] = "invalid_value"): void {
    const { document, reading } = this;
    if (document.format !== "json" || this.isSettled(path)) return;
    reading.report.say(document, this.full(path), {
      severity: code === "suspicious" ? "warning" : "error",
      ...{ code, message },
    });
  }

  /** Validates the ID by the rules of a new resource, since the service may have to create it. */
  validateId(id: JsonValue | undefined, problemOf = newIdProblem): void {
    const problem = typeof id === "string" ? problemOf(id) : undefined;
    if (problem !== undefined && !this.isSettled("id")) this.doubt("id", problem, id);
  }

  isSettled(path: string): boolean {
    const { document, reading, exempt } = this;
    const at = this.full(path);
    return exempt.has(path) || document.interpolations.get(at)?.unset !== undefined || reading.report.has(document, at);
  }

  /** Exempts a member from validation: its value is not in the file. @param from its path in the item, if it differs */
  hide(path: string, from = path): void {
    this.exempt.add(path);
    const { unclaimed, interpolations } = this.document;
    const unset = interpolations.get(this.full(from))?.unset;
    if (!unclaimed.delete(this.full(from))) return;
    if (unset) this.lack(from, unset);
    else if (this.document.format === "json") this.reading.report.say(this.document, this.full(from), UNFILLED);
  }

  lack(path: string, { message, fix }: UnsetError): void {
    this.reading.report.say(this.document, this.full(path), { severity: "note", code: "not_set", message, fix });
  }

  /** Returns the item's members with a value; reports unknown and missing members. */
  members({ known, required }: { known: readonly string[]; required: Readonly<Record<string, string>> }): JsonObject {
    const fields: JsonObject = {};
    for (const [name, value] of Object.entries(this.value)) {
      if (known.includes(name)) {
        if (value !== null) fields[name] = value;
      } else this.unknown(name, known);
    }
    this.refuseUnseen(fields);
    for (const [name, about] of Object.entries(required))
      if (fields[name] === undefined)
        this.problem(name, `is required: ${about}`, undefined, { code: "missing_member", fix: `add ${name}` });
    return fields;
  }

  /** Reports secret IDs, which every plan would show, and puts their references in their place. */
  private refuseUnseen(fields: JsonObject): void {
    for (const name of seenMembers(this.noun)) {
      const found = this.document.interpolations.get(this.full(name));
      if (!found?.isHidden) continue;
      this.problem(name, NOT_SEEN);
      this.value[name] = found.written;
      fields[name] = found.written;
    }
  }

  /** Reports a member that its object does not have. @param holder the object, which loses the member */
  unknown(path: string, known: readonly string[], holder?: JsonValue): void {
    if (isJsonObject(holder)) delete holder[path.slice(path.lastIndexOf(".") + 1)];
    if (!this.isSettled(path)) this.reading.report.unknown(this.document, this.full(path), known);
  }

  /** Validates a value by a request's schema. @param base its path @param known possible names of members */
  validate(schema: z.ZodMiniType, value: JsonValue, base = "", known: KnownNames = () => []): void {
    for (const { path, rule, unknown } of brokenRules(schema, value)) {
      const at = [...(base === "" ? [] : [base]), ...path.map(String)].join(".");
      const prefix = at === "" ? "" : `${at}.`;
      if (unknown) for (const name of unknown) this.unknown(prefix + name, known(at), jsonValueAt(value, path));
      else if (!this.isSettled(at)) this.refuse(at, rule, jsonValueAt(value, path));
    }
  }

  private refuse(path: string, rule: string, given: JsonValue | undefined): void {
    const lacksQuotes =
      this.document.format === "yaml" &&
      rule === "must be a string" &&
      given !== undefined &&
      (typeof given === "boolean" || isNumber(given));
    const text = lacksQuotes ? `${rule}; put it in quotes` : rule;
    if (/^must be an? /.test(rule)) this.problem(path, text, given);
    else this.doubt(path, text, given);
  }

  resource(id: string, fields: JsonObject): DesiredResource {
    const { noun, document, references, hidden, place } = this;
    return { noun, id, fields, place, references, hidden, placeOf: (path) => sourcePlaceIn(document, this.full(path)) };
  }
}

type ProblemKind = Pick<NonNullable<Parameters<FileReport["problem"]>[3]>, "code" | "fix">;

type KnownNames = (path: string) => readonly string[];

/** User info, or a part of a URL that may be a key. */
const URL_SECRET = /^[^/?#]*:\/\/[^/?#]*[^/?#:@][^/?#]*@|:\/\/[^/?#]*[/?#](?:.*[/?#&=])?[^/?#&=]{8}/;

/**
 * Notes how a plan refers to a value: by its text if that isn't secret, otherwise by its place in the file.
 * @param path the path in the fields of the resource
 * @param from the path in the item
 * @param isSecret whether the member is a secret by its kind
 */
export function referToSecret(item: FileItem, path: string, from: string, text: string, isSecret = false): void {
  const { file, interpolations } = item.document;
  const { values, written, isHidden } = interpolations.get(item.full(from)) ?? { values: [], written: "" };
  protectSecret(text, isSecret, item.reading.sources);
  const rest = interpolationLiteral(written);
  const isWritten = values.length > 0 && !(isSecret ? rest !== "" : URL_SECRET.test(rest));
  const pointer = item.full(from).split(".").map(pointerPart).join("/");
  item.references.set(path, isWritten ? rebasedInterpolation(written, file) : `\${source:${file}#/${pointer}}`);
  if (isHidden) item.hidden.add(path);
}

export function protectSecret(text: string, isSecret: boolean, { protect }: Pick<FleetSources, "protect">): void {
  for (const secret of isSecret ? [text] : secretRpcUrlParts(text)) protect?.(secret);
}

export function referToHidden(item: FileItem, fields: JsonObject): void {
  const { interpolations } = item.document;
  if (interpolations.size === 0) return;
  for (const { path } of jsonLeavesIn(fields)) {
    const found = interpolations.get(item.full(path));
    if (found?.isHidden && !item.references.has(path)) referToSecret(item, path, path, found.text);
  }
}

function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
