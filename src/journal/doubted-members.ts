import { isJsonObject, type JsonObject, jsonValueAt, memberPaths, pathsOverlap, writeJson } from "../contract/json.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { RelayctlError } from "../errors.ts";
import { LONGEST_ON_THE_WAY, LONGEST_READ_LAG } from "../timing.ts";
import { appliedOf, type Journal, walkWrites } from "./journal.ts";

/**
 * Returns the members of a resource whose last change has no known outcome, and may still arrive whatever the service shows;
 * with a body, also those that were just changed to another value, which a read may not show yet.
 * @param body leaves out members that it does not set
 */
export type DoubtedMembers = (noun: string, id: string, body?: JsonObject) => readonly string[];

interface Changed {
  path: string;
  isUnknown: boolean;
  /** As JSON: the value that a read may not show yet. */
  value: string | undefined;
}

export async function doubtedMembers(journal: Journal, server: string, now: number): Promise<DoubtedMembers> {
  const found = new Map<string, Changed[]>();
  try {
    for await (const write of walkWrites(journal, now - LONGEST_ON_THE_WAY)) {
      const { operation, ids, body, server: origin, time } = write.intent;
      const [noun, verb] = operation.split(".");
      const applied = appliedOf(write);
      if (origin !== server || verb !== "update" || !isJsonObject(body) || applied === "no") continue;
      const key = `${noun}/${Object.values(ids)[0]}`;
      const newer = found.get(key) ?? [];
      const decides = (path: string) => newer.some((each) => path === each.path || path.startsWith(`${each.path}.`));
      const members = memberPaths(body).filter((path) => !decides(path));
      const mayLag = now - receivedTime(time) < LONGEST_READ_LAG;
      const changed = members.map((path) => ({
        path,
        isUnknown: applied === "unknown",
        value: mayLag ? textAt(body, path) : undefined,
      }));
      found.set(key, [...newer, ...changed]);
    }
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
  }
  return (noun, id, body) => {
    const changed = found.get(`${noun}/${id}`) ?? [];
    if (!body) return changed.flatMap(({ path, isUnknown }) => (isUnknown ? path : []));
    const set = memberPaths(body);
    const isSet = ({ path }: Changed) => set.some((each) => pathsOverlap(each, path));
    const isOpen = ({ path, isUnknown, value }: Changed) =>
      isUnknown || (value !== undefined && value !== textAt(body, path));
    return changed.filter((each) => isSet(each) && isOpen(each)).map(({ path }) => path);
  };
}

function textAt(body: JsonObject, path: string): string {
  return writeJson(jsonValueAt(body, path.split(".")) ?? null);
}
