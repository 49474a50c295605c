import type { App } from "../../app.ts";
import type { JsonObject } from "../../contract/json.ts";
import { bodyFlag } from "../../contract/requests/body-problems.ts";
import { inputFileName, readInputObject } from "../../session/input-file.ts";

export interface BodyFile {
  fields: JsonObject;
  name: string;
}

/** @throws RelayctlError usage, at once: missing fields are unknown while the body can't be read */
export async function readBodyFile(app: App, file: string | undefined): Promise<BodyFile> {
  if (file === undefined) return { fields: {}, name: "the body" };
  return { fields: await readInputObject(app, file), name: inputFileName(file) };
}

export function bodyFileSources(fromFlags: JsonObject, { fields, name }: BodyFile): (path: string) => string {
  return (path) => {
    const head = path.split(".")[0] ?? "";
    if (path === "") return name;
    return head in fields && !(head in fromFlags) ? `${name} ${path}` : bodyFlag(path);
  };
}
