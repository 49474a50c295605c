import type { Session } from "../session/session.ts";
import type { Limited } from "./compare-with-limits.ts";

/** Returns a line for each. @throws RelayctlError usage if there is no journal for the sum of the day */
export async function exceededLimits(session: Session, limited: Limited): Promise<string[]> {
  if (Object.keys(session.limits).length === 0) return [];
  return await (await import("./compare-with-limits.ts")).compareWithLimits(session, limited);
}

export async function sayExceededLimits(session: Session, limited: Limited): Promise<void> {
  for (const line of await exceededLimits(session, limited))
    await session.say({ note: `requires --confirm ${session.name}: ${line}` });
}
