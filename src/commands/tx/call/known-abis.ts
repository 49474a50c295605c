import { dirname, join } from "node:path";
import { type Abi, standardAbi } from "../../../contract/abi.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";
import type { CallFlags } from "./call-flags.ts";
import { readAbiFile } from "./read-call.ts";

/** The most files of the folder that are read; a question must not wait for thousands. */
const MOST_FILES = 64;

/**
 * Returns the ABIs by which data is decoded: of well-known standards, of the files in `abis` next to `config.json`, and
 * of the line, which have precedence in this order. A file that is not an ABI is noted.
 */
export async function knownAbis(call: Pick<Call<CallFlags>, "app" | "flags" | "say">): Promise<Abi[]> {
  return [standardAbi(), ...(await folderAbis(call)), ...(await typedAbis(call))];
}

async function typedAbis({ app, flags: { abi } }: Pick<Call<CallFlags>, "app" | "flags">): Promise<Abi[]> {
  return abi === undefined || abi === "-" ? [] : [await readAbiFile(app, abi)];
}

async function folderAbis({ app, say }: Pick<Call, "app" | "say">): Promise<Abi[]> {
  const folder = folderOf(app);
  const names = folder === undefined ? [] : await app.files.list(folder);
  const files = names.filter((name) => name.endsWith(".json")).sort();
  if (files.length > MOST_FILES)
    await say(`note: only the first ${MOST_FILES} of ${files.length} ABIs in ${folder} are read`);
  const found: Abi[] = [];
  for (const name of files.slice(0, MOST_FILES)) {
    try {
      found.push(await readAbiFile(app, join(folder ?? "", name)));
    } catch (error) {
      if (!(error instanceof RelayctlError) || app.interrupt.aborted) throw error;
      await say(`note: ${error.message}; it is not used`);
    }
  }
  return found;
}

/** Returns the folder; undefined if no folder for settings is known. */
function folderOf(app: Call["app"]): string | undefined {
  try {
    return join(dirname(app.config.path), "abis");
  } catch (error) {
    if (error instanceof RelayctlError) return undefined;
    throw error;
  }
}
