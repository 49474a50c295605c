import { parse } from "node:path";
import { type JsonObject, parseJson, prettyJson } from "../../contract/json.ts";
import type { WriteText } from "./staging.ts";

/** Loads `conf`, which is slow to load, to write config files. */
export async function loadConfWriter(): Promise<WriteText> {
  const { default: Conf } = await import("conf");
  return (file, text) => {
    const { dir, name, ext } = parse(file);
    const conf = new Conf<JsonObject>({
      cwd: dir,
      configName: name,
      fileExtension: ext,
      configFileMode: 0o600,
      serialize: (value) => `${prettyJson(value)}\n`,
    });
    conf.store = parseJson(text) as JsonObject;
  };
}
