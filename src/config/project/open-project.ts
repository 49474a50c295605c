import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname, join, sep } from "node:path";
import { sha256 } from "../../contract/encoding/primitives.ts";
import { isJsonObject, type JsonObject, JsonSyntaxError, parseJson, prettyJson } from "../../contract/json.ts";
import type { Masked } from "../../contract/secret-fields.ts";
import { usageError } from "../../errors.ts";
import { fileError } from "../files/file-error.ts";
import type { Surroundings } from "../files/lock.ts";
import { isOthers, keepFilePrivate, type Owner } from "../files/privacy.ts";
import { readText } from "../files/read-text.ts";
import { createTextFile, type TextFile } from "../files/text-file.ts";
import { parseProject } from "./parse-project.ts";
import { type FoundProject, TRUSTED_NAME } from "./project.ts";

export interface ProjectWorld extends Owner {
  state(): string;
  surroundings: Surroundings;
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

/** Reads the text of a file that nobody else can have written. */
async function readProjectText(path: string, user: number | undefined): Promise<string> {
  const refuseOthers = (facts: Stats) => {
    if (user !== undefined && isOthers(facts, user))
      throw usageError([
        { where: path, rule: "may be written by other users; make it yours, and run chmod go-w on it" },
      ]);
  };
  const text = await readText(targetOf(path), MAX_BYTES, refuseOthers);
  if (text === undefined) throw usageError([{ where: path, rule: "was removed meanwhile" }]);
  return text;
}

/** Returns the file itself, or the file below its folder that it is a link to. */
function targetOf(path: string): string {
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

/** Returns the digests of trusted files by their paths; a text that cannot be read trusts none. */
function trustedIn(text: string | undefined): JsonObject {
  try {
    const value = text === undefined ? {} : parseJson(text);
    return isJsonObject(value) ? value : {};
  } catch (error) {
    if (error instanceof JsonSyntaxError) return {};
    throw error;
  }
}
