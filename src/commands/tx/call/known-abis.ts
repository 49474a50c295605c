import { dirname, join } from "node:path";
import type { App } from "../../../app.ts";
import { contextNameProblem } from "../../../config/contexts.ts";
import { type Abi, callText, type DescribedCall, describeCall, standardAbi } from "../../../contract/abi.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";
import type { CallFlags } from "./call-flags.ts";
import { readAbiFile } from "./read-call.ts";

/** The most files of the folder that are read; a question must not wait for thousands. */
const MOST_FILES = 64;

export type AbiCall = Pick<Call<CallFlags>, "app" | "flags" | "session" | "say">;

/**
 * Returns the ABIs by which data is decoded: of well-known standards, of the files in `abis` next to `config.json`, of
 * those in its folder with the name of the context, and of the line, which have precedence in this order. A file that is
 * not an ABI is noted.
 */
export async function knownAbis(call: AbiCall): Promise<Abi[]> {
  const found = [standardAbi()];
  for (const folder of await readFolders(call)) found.push(...(await folderAbis(call, folder)));
  return [...found, ...(await typedAbis(call))];
}

async function typedAbis({ app, flags: { abi } }: AbiCall): Promise<Abi[]> {
  return abi === undefined || abi === "-" ? [] : [await readAbiFile(app, abi)];
}

async function folderAbis({ app, say }: AbiCall, folder: string): Promise<Abi[]> {
  const files = (await app.files.list(folder)).filter((name) => name.endsWith(".json")).sort();
  if (files.length > MOST_FILES)
    await say(`note: only the first ${MOST_FILES} of ${files.length} ABIs in ${folder} are read`);
  const found: Abi[] = [];
  const listed: App["files"] = { ...app.files, read: (path, maxBytes) => app.files.read(path, maxBytes, true) };
  for (const name of files.slice(0, MOST_FILES)) {
    try {
      found.push(await readAbiFile({ ...app, files: listed }, join(folder, name)));
    } catch (error) {
      if (!(error instanceof RelayctlError) || app.interrupt.aborted) throw error;
      await say(`note: ${error.message}; it is not used`);
    }
  }
  return found;
}

/** Returns the folders; none if no folder for settings is known. A service without a context has no name for a folder. */
async function readFolders({ app, session }: AbiCall): Promise<string[]> {
  const { name } = await session();
  try {
    const all = join(dirname(app.config.path), "abis");
    return contextNameProblem(name) === undefined ? [all, join(all, name)] : [all];
  } catch (error) {
    if (error instanceof RelayctlError) return [];
    throw error;
  }
}

export async function describeFor(call: AbiCall, data: string): Promise<DescribedCall> {
  return describeCall(data, await knownAbis(call)) ?? { lines: [], isWhole: false };
}

export async function readCalls({
  app,
  session,
  say,
}: Omit<AbiCall, "flags">): Promise<(data: string) => string | undefined> {
  const abis = await knownAbis({ app, flags: {}, session, say });
  return (data) => callText(data, abis);
}
