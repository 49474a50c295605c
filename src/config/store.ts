import { dirname, join, parse } from "node:path";
import { type JsonObject, objectIn, parseJson, parseJsonOr, prettyJson } from "../contract/json.ts";
import { markMasked } from "../contract/secret-fields.ts";
import { usageError } from "../errors.ts";
import { type Config, configShape } from "./config.ts";
import type { LockWorld } from "./files/lock.ts";
import { keepFilePrivate, keepFolderPrivate, type Owner } from "./files/privacy.ts";
import type { WriteText } from "./files/staging.ts";
import { createTextFile, type TextFile } from "./files/text-file.ts";

export interface ConfigStoreOptions extends Owner {
  /** Only called for a file: it throws without a home folder. */
  folder(): string;
  surroundings: LockWorld;
}

const MAX_BYTES = 1024 * 1024;
const OURS = /^(?:\.?(?:config|demo|projects)\.json|(?:completion|(?:demo-)?journal)$)/;

/** Creates the store of `config.json` for `App.config`. Reading never loads `conf`. */
export function createConfigStore(options: ConfigStoreOptions) {
  const path = () => join(options.folder(), "config.json");
  return {
    get path(): string {
      return path();
    },
    async read(): Promise<Config> {
      const file = await privateFile(path(), options);
      return parseConfig(await file.load(), path());
    },
    async change(edit: (config: Config) => Config | Promise<Config>, failed?: () => Promise<void>): Promise<void> {
      const file = await privateFile(path(), options);
      await file.change(async (text) => markMasked(`${prettyJson(await edit(parseConfig(text, path())))}\n`), failed);
    },
  };
}

/** Parses a config file, if there is one. Errors contain the file and the position, never the content. */
function parseConfig(text: string | undefined, path: string): Config {
  if (text === undefined) return { version: 1, contexts: {} };
  const value = parseJsonOr(text, ({ message }) => usageError([{ where: path, rule: message }]));
  const version = objectIn(value).version;
  if (typeof version === "number" && version > 1)
    throw usageError([{ where: path, rule: "was written by a newer relayctl" }]);
  const place = configShape(value);
  if (place === undefined) return value as Config;
  throw usageError([{ where: path, rule: `is not a relayctl config${place && `: check ${place}`}` }]);
}

async function privateFile(path: string, options: ConfigStoreOptions): Promise<TextFile> {
  await keepFolderPrivate(dirname(path), options, OURS);
  const { surroundings } = options;
  const file = createTextFile(path, { surroundings, maxBytes: MAX_BYTES, writer: loadConfWriter });
  await keepFilePrivate(path, options, async () => parseConfig(await file.load(), path));
  return file;
}

/** Loads `conf`, which is slow, to write config files. */
async function loadConfWriter(): Promise<WriteText> {
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
