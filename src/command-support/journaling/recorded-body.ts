import type { JsonValue } from "../../contract/json.ts";
import type { Intent } from "../../journal/entry.ts";
import type { Journal } from "../../journal/journal.ts";
import { maskedBody, secretTextsIn, urlFingerprints } from "./masked-body.ts";

/** What the journal records of a body. */
export interface RecordedBody {
  members: Pick<Intent, "body" | "fingerprints">;
  /** Its texts that may be secret, which nothing else in an entry may quote. */
  secrets: readonly string[];
}

const NO_BODY: RecordedBody = { members: {}, secrets: [] };

/** Returns a function that works out once what is recorded of a body: the writes of a bulk change share theirs. */
export function createRecordedBodies(): (body: JsonValue | undefined, journal: Journal) => Promise<RecordedBody> {
  const known = new WeakMap<object, Promise<RecordedBody>>();
  return async (body, journal) => {
    if (body === undefined) return NO_BODY;
    if (typeof body !== "object" || body === null) return await recordedBody(body, journal);
    const recorded = known.get(body) ?? recordedBody(body, journal);
    known.set(body, recorded);
    return await recorded;
  };
}

async function recordedBody(body: JsonValue, journal: Journal): Promise<RecordedBody> {
  const members = { body: await maskedBody(body, journal), ...(await urlFingerprints(body, journal)) };
  return { members, secrets: secretTextsIn(body) };
}
