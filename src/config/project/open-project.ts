import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, sep, win32 } from "node:path";
import { addressKind } from "../../contract/address-kind.ts";
import { sha256 } from "../../contract/encoding/primitives.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectIn,
  parseJsonOr,
  positionsIn,
  prettyJson,
  tryParseJson,
} from "../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../contract/network-kind.ts";
import type { Masked } from "../../contract/secret-fields.ts";
import { type Problem, usageError } from "../../errors.ts";
import { contextNameProblem } from "../contexts.ts";
import { fileError } from "../files/file-error.ts";
import type { LockWorld } from "../files/lock.ts";
import { isFileOfOthers, keepFilePrivate, type Owner } from "../files/privacy.ts";
import { readText } from "../files/read-text.ts";
import { createTextFile, type TextFile } from "../files/text-file.ts";
import { type Label, labelProblem } from "../labels.ts";
import { type FoundProject, type Project, TRUSTED_NAME } from "./project.ts";

/** Adds a member's problem, by its dotted path. */
type Refuse = (member: string, rule: string, given?: string) => void;

const ALLOWED = "a project file sets only context, files, and labels";

/** @throws RelayctlError usage, with the line of every problem */
export function parseProject(path: string, text: string): Project {
  const value = parseJsonOr(text, ({ line, reason }) =>
    usageError([{ where: `${path}:${line}`, rule: `is not JSON: ${reason}` }]),
  );
  const places = positionsIn(text);
  const problems: Problem[] = [];
  const refuse: Refuse = (member, rule, given) => {
    const line = places.get(member)?.line ?? 1;
    problems.push({ where: `${path}:${line}`, ...(given !== undefined && { given }), rule });
  };
  const project = isJsonObject(value) ? readMembers(path, value, refuse) : refuse("", `is not an object; ${ALLOWED}`);
  if (!project || problems.length > 0) throw usageError(problems);
  return project;
}

function readMembers(path: string, value: JsonObject, refuse: Refuse): Project {
  const { context, files = [], labels = {}, ...others } = value;
  for (const name of Object.keys(others)) refuse(name, `cannot be set here: ${ALLOWED}`, name);
  const problem = typeof context === "string" ? contextNameProblem(context) : "context needs the name of a context";
  if (context !== undefined && problem !== undefined) refuse("context", problem, givenString(context));
  if (!Array.isArray(files)) refuse("files", "files needs a list of paths");
  if (!isJsonObject(labels)) refuse("labels", "labels needs an object of labels by kind of network");
  return {
    path,
    ...(typeof context === "string" && { context }),
    files: Array.isArray(files) ? files.flatMap((file, index) => readPath(file, `files.${index}`, refuse)) : [],
    labels: isJsonObject(labels) ? readLabels(path, labels, refuse) : [],
  };
}

function givenString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function readPath(value: JsonValue, member: string, refuse: Refuse): string[] {
  const problem = typeof value === "string" ? fileProblem(value) : "files needs a list of paths";
  if (problem !== undefined) refuse(member, problem, givenString(value));
  return typeof value === "string" ? [value] : [];
}

function fileProblem(path: string): string | undefined {
  if (path === "") return "is empty";
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path)) return "contains a character that cannot be seen";
  if (path.startsWith("-")) return "begins with a dash";
  if (isAbsolute(path) || win32.isAbsolute(path) || path.split(/[\\/]/).includes(".."))
    return "is not below the folder of the project file";
  return undefined;
}

function readLabels(path: string, labels: JsonObject, refuse: Refuse): Label[] {
  return Object.entries(labels).flatMap(([kind, addresses]) => {
    const member = `labels.${kind}`;
    if (!isNetworkKind(kind)) refuse(member, "is not evm, solana, or stellar", kind);
    else if (!isJsonObject(addresses)) refuse(member, "needs an object of addresses by label", kind);
    else {
      refuseAlike(Object.keys(addresses), member, refuse);
      return Object.entries(addresses).flatMap(([name, value]): Label[] => {
        const address = readAddress(name, kind, value, (rule, text) => refuse(`${member}.${name}`, rule, text));
        return address === undefined ? [] : [{ name, kind, address, from: path }];
      });
    }
    return [];
  });
}

function refuseAlike(names: readonly string[], member: string, refuse: Refuse): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const earlier = seen.get(name.toLowerCase());
    if (earlier !== undefined) refuse(`${member}.${name}`, `differs from ${earlier} only in case`, name);
    seen.set(name.toLowerCase(), name);
  }
}

function readAddress(name: string, kind: NetworkKind, value: JsonValue, refuse: (rule: string, given: string) => void) {
  const problem = labelProblem(name);
  if (problem !== undefined) refuse(problem, name);
  if (typeof value !== "string") {
    refuse("needs an address", name);
    return undefined;
  }
  const found = addressKind(value);
  if ("problem" in found) refuse(found.problem, value);
  else if (found.kind !== kind) refuse(`is an address on ${found.kind}, not on ${kind}`, value);
  return value;
}

export interface ProjectWorld extends Owner {
  state(): string;
  surroundings: LockWorld;
  redact(text: string): Masked<string>;
}

const MAX_BYTES = 64 * 2 ** 10;
const MAX_TRUSTED_BYTES = 2 ** 20;

/** Reads a project file, and whether the user trusts it. @throws RelayctlError usage */
export async function openProject(path: string, world: ProjectWorld): Promise<FoundProject> {
  const text = await readProjectText(path, world.user);
  const project = parseProject(path, text);
  const digest = Buffer.from(sha256(new TextEncoder().encode(text))).toString("hex");
  const { [path]: known } = trustedIn(await (await trustedFile(world)).load());
  return {
    ...project,
    trust: known === digest ? "trusted" : known === undefined ? "new" : "changed",
    remember: () => changeTrusted(world, (trusted) => ({ ...trusted, [path]: digest })),
  };
}

/** Forgets that a project file is trusted. @returns whether it was */
export async function forgetProject(path: string, world: ProjectWorld): Promise<boolean> {
  let wasTrusted = false;
  await changeTrusted(world, ({ [path]: known, ...others }) => {
    wasTrusted = known !== undefined;
    return others;
  });
  return wasTrusted;
}

async function readProjectText(path: string, user: number | undefined): Promise<string> {
  const refuseOthers = (facts: Stats) => {
    if (user !== undefined && isFileOfOthers(facts, user))
      throw usageError([
        { where: path, rule: "may be written by other users; make it yours, and run chmod go-w on it" },
      ]);
  };
  const text = await readText(resolveTarget(path), MAX_BYTES, refuseOthers);
  if (text === undefined) throw usageError([{ where: path, rule: "was removed meanwhile" }]);
  return text;
}

function resolveTarget(path: string): string {
  try {
    if (!lstatSync(path).isSymbolicLink()) return path;
    const real = realpathSync(path);
    if (real.startsWith(join(realpathSync(dirname(path)), sep))) return real;
  } catch (error) {
    throw fileError(path, "read", error);
  }
  throw usageError([{ where: path, rule: "is a link to a file that is not below its folder" }]);
}

async function trustedFile(world: ProjectWorld): Promise<TextFile> {
  const path = join(world.state(), TRUSTED_NAME);
  await keepFilePrivate(path, world);
  return createTextFile(path, { surroundings: world.surroundings, maxBytes: MAX_TRUSTED_BYTES });
}

async function changeTrusted(world: ProjectWorld, edit: (trusted: JsonObject) => JsonObject): Promise<void> {
  const file = await trustedFile(world);
  await file.change((text) => {
    const before = trustedIn(text);
    const after = edit(before);
    return world.redact(`${prettyJson(after)}\n`);
  });
}

/** Returns the digests of trusted files by path; an unreadable text trusts none. */
function trustedIn(text: string | undefined): JsonObject {
  return objectIn(tryParseJson(text ?? "{}"));
}
