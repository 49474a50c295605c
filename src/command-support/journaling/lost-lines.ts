import type { Journal } from "../../journal/journal.ts";
import type { Call } from "../call.ts";
import { askConsent } from "../consent/consent.ts";
import { isDryRun } from "../shown.ts";

/** Resolves if the journal lost nothing, or the user continues without it. @throws RelayctlError io, declined */
export async function acceptLostLines(call: Call, journal: Journal, act: string): Promise<void> {
  const { name, lostLines } = await call.session();
  const risks = await lostLines(journal);
  if (risks.length === 0) return;
  if (isDryRun(call)) return await call.say({ note: `requires --confirm ${name}: ${risks.join("; ")}` });
  const question = `Continue ${act} in ${name} without these lines? What they recorded could be done again.`;
  await askConsent(call, { question, act: `${act} without lines of the journal`, risks, sort: { type: name } }, risks);
}
