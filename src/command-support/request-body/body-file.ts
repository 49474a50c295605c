import type { App } from "../../app.ts";
import type { JsonObject } from "../../contract/json.ts";
import { inputName, readJsonObject } from "../input-file.ts";
import { flagOf } from "./body-problems.ts";

/** The body that `-f` gives, which flags override; no member without it. */
export interface BodyFile {
  fields: JsonObject;
  /** For messages. */
  name: string;
}

/** @throws RelayctlError usage, at once: what a body lacks cannot be told while it cannot be read */
export async function readBodyFile(app: App, file: string | undefined): Promise<BodyFile> {
  if (file === undefined) return { fields: {}, name: "the body" };
  return { fields: await readJsonObject(app, file), name: inputName(file) };
}

/** Where a member of a body was typed: by its flag, or in the file. */
export function sourcesOf(fromFlags: JsonObject, { fields, name }: BodyFile): (path: string) => string {
  return (path) => {
    const head = path.split(".")[0] ?? "";
    if (path === "") return name;
    return head in fields && !(head in fromFlags) ? `${name} ${path}` : flagOf(path);
  };
}
