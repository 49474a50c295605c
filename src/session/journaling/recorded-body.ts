import { type ApiRequest, withoutHidden } from "../../client/request.ts";
import type { JsonValue } from "../../contract/json.ts";
import type { Intent } from "../../journal/entry.ts";
import type { Journal } from "../../journal/journal.ts";
import { maskedBody, secretTextsIn, urlFingerprints } from "./masked-body.ts";

export interface RecordedBody {
  members: Pick<Intent, "body" | "fingerprints">;
  /** Its texts that may be secret, which nothing else in an entry may quote. */
  secrets: readonly string[];
}

const NO_BODY: RecordedBody = { members: {}, secrets: [] };

/** Returns a function that works out once what is recorded of a body: the writes of a bulk change share theirs. */
export function createRecordedBodies(): (request: Recorded, journal: Journal) => Promise<RecordedBody> {
  const known = new WeakMap<object, Promise<RecordedBody>>();
  return async (request, journal) => {
    const { body } = request;
    if (body === undefined) return NO_BODY;
    if (typeof body !== "object" || body === null) return await recordedBody(body, request, journal);
    const recorded = known.get(body) ?? recordedBody(body, request, journal);
    known.set(body, recorded);
    return await recorded;
  };
}

type Recorded = Pick<ApiRequest, "body" | "hidden">;

async function recordedBody(body: JsonValue, { hidden }: Recorded, journal: Journal): Promise<RecordedBody> {
  const shown = withoutHidden(await maskedBody(body, journal), hidden);
  return { members: { body: shown, ...(await urlFingerprints(body, journal)) }, secrets: secretTextsIn(body) };
}
