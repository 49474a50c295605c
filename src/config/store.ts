import { dirname, join } from "node:path";
import type { Config } from "./config.ts";
import { loadConfWriter } from "./files/conf-writer.ts";
import type { Surroundings } from "./files/lock.ts";
import { keepFilePrivate, keepFolderPrivate, type Owner } from "./files/privacy.ts";
import { createTextFile, type TextFile } from "./files/text-file.ts";
import { configText, parseConfig } from "./parse-config.ts";

export interface ConfigStoreOptions extends Owner {
  /** Asked only when a file is needed: it fails where there is no home. */
  folder(): string;
  surroundings: Surroundings;
}

const MAX_BYTES = 1024 * 1024;

/** `config.json`, as `App.config` has it. Reading it never loads `conf`. */
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
    async change(edit: (config: Config) => Config): Promise<void> {
      const file = await privateFile(path(), options);
      await file.change((text) => configText(edit(parseConfig(text, path()))));
    },
  };
}

async function privateFile(path: string, options: ConfigStoreOptions): Promise<TextFile> {
  await keepFolderPrivate(dirname(path), options);
  await keepFilePrivate(path, options);
  return createTextFile(path, { surroundings: options.surroundings, maxBytes: MAX_BYTES, writer: loadConfWriter });
}
