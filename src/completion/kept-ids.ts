import { removeOlderFiles } from "../config/files/remove-older.ts";
import { COMPLETION_LIFETIME, IDS_LIFETIME } from "../timing.ts";
import type { Candidate } from "./words.ts";

const VERSION = "1";
/** The maximum size of a file with IDs, in bytes. */
export const LARGEST_KEPT = 4 * 2 ** 20;

/** When IDs were read or are needed, and the token. */
export interface Keeping {
  /** Milliseconds since 1970. */
  now: number;
  /** A token from elsewhere is identified by its file. */
  token: string | undefined;
}

/** Returns a file's text with IDs, one per line. The service's texts are escaped already. */
export async function keptText(ids: readonly Candidate[], salt: string, { now, token }: Keeping): Promise<string> {
  const head = [VERSION, now, salt, await readMark(salt, token)].join("\t");
  return [head, ...ids.map(({ word, summary = "" }) => `${word}\t${summary}`), ""].join("\n");
}

/** Returns a file's IDs, unless it is old, for another token, or invalid. */
export async function keptIds(
  text: string | undefined,
  { now, token }: Keeping,
): Promise<readonly Candidate[] | undefined> {
  const [head = "", ...lines] = (text ?? "").split("\n");
  const [version, at, salt = "", mark] = head.split("\t");
  const age = now - Number(at);
  if (version !== VERSION || !(age >= 0 && age < IDS_LIFETIME) || mark !== (await readMark(salt, token)))
    return undefined;
  return lines.slice(0, -1).map((line) => {
    const [word = "", summary] = line.split("\t");
    return { word, ...(summary && { summary }) };
  });
}

export async function removeOldIds(folder: string, now: number): Promise<void> {
  await removeOlderFiles(folder, now - COMPLETION_LIFETIME);
}

async function readMark(salt: string, token: string | undefined): Promise<string> {
  return token ? (await import("./token-mark.ts")).tokenMark(salt, token) : "";
}
