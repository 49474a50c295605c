import type { JsonObject } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import type { Answer } from "./answer.ts";
import { failed, httpFacts } from "./failed.ts";
import { wrongIdentity } from "./identity.ts";
import { judgeAnswer } from "./judge.ts";
import type { Link } from "./link.ts";
import { mismatch } from "./mismatch.ts";
import type { Outcome } from "./outcome.ts";
import type { Ask } from "./request.ts";
import { send } from "./send.ts";
import { readBack, unknown } from "./unknown.ts";
import type { WriteFacts } from "./write-facts.ts";

/**
 * Sends a write and gives its answer once it is known that exactly what was asked was applied.
 * @throws RelayctlError `unknown` when that cannot be known, `mismatch` when something else was applied
 */
export async function write<T extends JsonObject>(ask: Ask, link: Link, facts: WriteFacts = {}): Promise<Answer<T>> {
  const settled = await send(ask, link);
  const { outcome } = settled;
  switch (settled.action) {
    case "done":
      return accepted<T>(ask, outcome, facts);
    case "read_back":
      return (await readBack(ask, outcome, link, facts)) as Answer<T>;
    case "unknown":
      throw await unknown(ask, outcome, link);
    case "fail":
      throw failed(ask, outcome, link.clock);
  }
}

function accepted<T extends JsonObject>(ask: Ask, outcome: Outcome, facts: WriteFacts): Answer<T> {
  if (outcome.fault !== "none") throw new RelayctlError("internal", "a failure was taken for a success");
  const { reply } = outcome;
  const data = outcome.data as T;
  const http = httpFacts(ask, reply.status);
  const identity = wrongIdentity(ask, data);
  if (identity) throw new RelayctlError("mismatch", identity, { applied: "unknown", http });
  const { different, unconfirmed } = judgeAnswer(ask, data);
  const wrong = mismatch(ask, data, different, facts.before, http);
  if (wrong) throw wrong;
  return { data, body: reply.body, unconfirmed };
}
