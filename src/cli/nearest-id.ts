import { collectItems } from "../client/pagination/collect.ts";
import type { Call } from "../command-support/call.ts";
import { type ListedNoun, type RelayctlError, rescue } from "../errors.ts";
import { nearestName } from "../nearest.ts";

/** Milliseconds for the read: the suggestion must not delay the error. */
const LONGEST = 900;

/** Adds the ID that was probably meant to a "not found" error. Reads one page of IDs, only on a terminal. */
export async function withNearestId(call: Call, error: RelayctlError): Promise<RelayctlError> {
  const missing = missingIn(error);
  if (!missing || !call.app.stderr.isTerminal || call.app.interrupt.aborted) return error;
  const meant = nearestName(missing.id, await readIds(call, missing.noun));
  return meant === undefined ? error : error.with({ because: [`did you mean ${meant}?`] });
}

const NAMED = /^\/api\/v1\/(relayers|notifications|signers|networks|plugins)\/([^/?]+)/;

/** Returns the resource in a request's path, unless the missing one is another. */
function missingIn({ subject, http }: RelayctlError): { noun: ListedNoun; id: string } | undefined {
  const [, noun, id = ""] = NAMED.exec(http?.path ?? "") ?? [];
  if (noun === undefined || (subject?.kind === "missing" && subject.noun !== noun)) return undefined;
  return { noun: noun as ListedNoun, id: decodeURIComponent(id) };
}

async function readIds(call: Call, noun: ListedNoun): Promise<string[]> {
  const session = await call.session();
  const page = session.briefly(LONGEST)[noun].list({ page: 1, perPage: 100 });
  const found = await rescue(collectItems(page), () => []);
  return found.map(({ id }) => String(id));
}
