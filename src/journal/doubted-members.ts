import { isJsonObject, type JsonObject, memberPaths, overlap } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import { LONGEST_ON_THE_WAY } from "../timing.ts";
import type { Journal } from "./journal.ts";
import { appliedOf, writesNewestFirst } from "./writes.ts";

/**
 * Returns the members of a resource whose last change has no known outcome, and may still arrive whatever the service shows.
 * @param body leaves out those that it does not set
 */
export type DoubtedMembers = (noun: string, id: string, body?: JsonObject) => readonly string[];

/** Reads which members of the resources of a service were changed from here with an unknown outcome just now. */
export async function doubtedMembers(journal: Journal, server: string, now: number): Promise<DoubtedMembers> {
  const found = new Map<string, { path: string; isUnknown: boolean }[]>();
  try {
    for await (const write of writesNewestFirst(journal, now - LONGEST_ON_THE_WAY)) {
      const { operation, ids, body, server: origin } = write.intent;
      const [noun, verb] = operation.split(".");
      const applied = appliedOf(write);
      if (origin !== server || verb !== "update" || !isJsonObject(body) || applied === "no") continue;
      const key = `${noun}/${Object.values(ids)[0]}`;
      const newer = found.get(key) ?? [];
      const decides = (path: string) => newer.some((each) => path === each.path || path.startsWith(`${each.path}.`));
      const members = memberPaths(body).filter((path) => !decides(path));
      found.set(key, [...newer, ...members.map((path) => ({ path, isUnknown: applied === "unknown" }))]);
    }
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
  }
  return (noun, id, body) => {
    const open = (found.get(`${noun}/${id}`) ?? []).flatMap(({ path, isUnknown }) => (isUnknown ? path : []));
    const set = body && memberPaths(body);
    return set ? open.filter((path) => set.some((each) => overlap(each, path))) : open;
  };
}
