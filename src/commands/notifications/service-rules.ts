import { serviceIdProblem } from "../../contract/id.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Call } from "../command.ts";

const SHORTEST_KEY = 32;

/** Returns whether the real service accepts a signing key of this length in bytes (facts 6). */
export function isLongEnough(key: string): boolean {
  return new TextEncoder().encode(key).length >= SHORTEST_KEY;
}

/** Warns about what the interface leaves open and the real service rejects (facts 6). The request is sent anyway. */
export async function warnOfRefusal(call: Call, { id, signing_key: key }: JsonObject): Promise<void> {
  const idRule = typeof id === "string" ? serviceIdProblem(id) : undefined;
  if (idRule !== undefined) await call.say(`warning: services up to v1.8 refuse the id ${id}: ${idRule}`);
  if (typeof key === "string" && key !== "" && !isLongEnough(key))
    await call.say(`warning: services up to v1.8 refuse a signing key of less than ${SHORTEST_KEY} characters`);
}
