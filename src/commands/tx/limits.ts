import { lostLines } from "../../command-support/journaling/lost-lines.ts";
import type { Limited } from "../../limits/compare-with-limits.ts";
import type { Call } from "../command.ts";

/** Returns a line for each. @throws RelayctlError usage if there is no journal for the sum of the day */
export async function exceededLimits(call: Call, limited: Limited): Promise<string[]> {
  const session = await call.session();
  if (Object.keys(session.limits).length === 0) return [];
  const { compareWithLimits } = await import("../../limits/compare-with-limits.ts");
  return await compareWithLimits(call, session, limited, (journal, isUsual) => lostLines(call, journal, isUsual));
}

export async function sayExceeded(call: Call, limited: Limited): Promise<void> {
  const { name } = await call.session();
  for (const line of await exceededLimits(call, limited))
    await call.say({ note: `requires --confirm ${name}: ${line}` });
}
