import type { Candidate } from "./offer.ts";

/** Milliseconds for which ids are offered without asking again. */
const FRESH = 60_000;
const VERSION = "1";
/** The largest file that keeps ids, in bytes. */
export const LARGEST_KEPT = 4 * 2 ** 20;

/** When ids were read or are asked for, and with which token. */
export interface Keeping {
  /** Milliseconds since 1970. */
  now: number;
  /** Of `RELAYCTL_TOKEN`; a token from elsewhere is known by the file that it is in. */
  token: string | undefined;
}

/** The text of the file that keeps ids, a line each. What came from the service is escaped already. */
export async function keptText(ids: readonly Candidate[], salt: string, { now, token }: Keeping): Promise<string> {
  const head = [VERSION, now, salt, await markOf(salt, token)].join("\t");
  return [head, ...ids.map(({ word, summary = "" }) => `${word}\t${summary}`), ""].join("\n");
}

/** The ids in such a text; nothing when it is old, of another token, or no such text at all. */
export async function keptIds(
  text: string | undefined,
  { now, token }: Keeping,
): Promise<readonly Candidate[] | undefined> {
  const [head = "", ...lines] = (text ?? "").split("\n");
  const [version, at, salt = "", mark] = head.split("\t");
  const age = now - Number(at);
  if (version !== VERSION || !(age >= 0 && age < FRESH) || mark !== (await markOf(salt, token))) return undefined;
  return lines.slice(0, -1).map((line) => {
    const [word = "", summary] = line.split("\t");
    return { word, ...(summary && { summary }) };
  });
}

async function markOf(salt: string, token: string | undefined): Promise<string> {
  return token ? (await import("./token-mark.ts")).tokenMark(salt, token) : "";
}
