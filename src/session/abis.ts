import { dirname, join } from "node:path";
import type { App } from "../app.ts";
import { contextNameProblem } from "../config/contexts.ts";
import { type Abi, AbiError, readAbi, standardAbi } from "../contract/abi.ts";
import { RelayctlError, rescue, usageError } from "../errors.ts";
import { inputFileName, readInputJson } from "./input-file.ts";
import type { Say } from "./session.ts";

/** The most files read from the folder; a question must not wait for thousands. */
const MOST_FILES = 64;

interface AbiPlaces {
  /** Of the context. */
  name: string;
  /** The file of `--abi`. */
  typed: string | undefined;
  say: Say;
}

/** Returns, in order of precedence: standards, `abis` next to `config.json`, its folder for the context, typed file. */
export async function readSessionAbis(app: App, { name, typed, say }: AbiPlaces): Promise<Abi[]> {
  const found = [standardAbi()];
  for (const folder of abiFolders(app, name)) found.push(...(await folderAbis(app, folder, say)));
  if (typed !== undefined && typed !== "-") found.push(await readAbiFile(app, typed));
  return found;
}

/** @throws RelayctlError usage */
export async function readAbiFile(app: App, path: string): Promise<Abi> {
  const document = await readInputJson(app, path);
  try {
    return readAbi(document);
  } catch (error) {
    if (!(error instanceof AbiError)) throw error;
    throw usageError([{ where: inputFileName(path), rule: error.message }]);
  }
}

async function folderAbis(app: App, folder: string, say: Say): Promise<Abi[]> {
  const noteUnused = async (error: RelayctlError) => {
    if (app.interrupt.aborted) throw error;
    await say({ note: `${error.message}; it is not used` });
    return [];
  };
  const listing = await rescue(app.files.list(folder), noteUnused);
  const files = listing.filter((name) => name.endsWith(".json")).sort();
  if (files.length > MOST_FILES)
    await say({ note: `only the first ${MOST_FILES} of ${files.length} ABIs in ${folder} are read` });
  const found: Abi[] = [];
  const listed: App["files"] = { ...app.files, read: (path, maxBytes) => app.files.read(path, maxBytes, true) };
  for (const name of files.slice(0, MOST_FILES)) {
    const reading = readAbiFile({ ...app, files: listed }, join(folder, name));
    found.push(
      ...(await rescue(
        reading.then((abi) => [abi]),
        noteUnused,
      )),
    );
  }
  return found;
}

/** Returns the known folders. A service without a context has no folder name. */
function abiFolders({ config }: App, name: string): string[] {
  try {
    const all = join(dirname(config.path), "abis");
    return contextNameProblem(name) === undefined ? [all, join(all, name)] : [all];
  } catch (error) {
    if (error instanceof RelayctlError) return [];
    throw error;
  }
}
