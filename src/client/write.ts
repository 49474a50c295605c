import type { JsonObject } from "../contract/json.ts";
import type { OperationId } from "../contract/operations.ts";
import { RelayctlError } from "../errors.ts";
import type { Answer } from "./answer.ts";
import { ask } from "./ask.ts";
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
export async function write<T extends JsonObject>(asked: Ask, link: Link, facts: WriteFacts = {}): Promise<Answer<T>> {
  const settled = await send(asked, link);
  const { outcome } = settled;
  switch (settled.action) {
    case "done":
      return accepted<T>(asked, outcome, facts);
    case "read_back":
      return (await readBack(asked, outcome, link, facts)) as Answer<T>;
    case "unknown":
      throw await unknown(asked, outcome, link);
    case "fail":
      throw failed(asked, outcome, link.clock);
  }
}

/** Creates a thing under the id in its body. Without one the client makes it, so that a lost answer can be settled. */
export async function createNamed<T extends JsonObject>(id: OperationId, body: object, link: Link): Promise<Answer<T>> {
  const ownId = !("id" in body);
  const named = ownId ? { ...body, id: link.random.uuid() } : body;
  return await write<T>(ask(id, {}, named), link, { ownId });
}

/** What came of a removal: the service's own sentence, or why its answer was lost when a look proved that the thing is gone. */
export type Gone = Pick<Answer, "body" | "lost">;

/** Removes a thing. */
export async function remove(asked: Ask, link: Link): Promise<Gone> {
  return await write(asked, link);
}

function accepted<T extends JsonObject>(asked: Ask, outcome: Outcome, facts: WriteFacts): Answer<T> {
  if (outcome.fault !== "none") throw new RelayctlError("internal", "a failure was taken for a success");
  const { reply } = outcome;
  const data = outcome.data as T;
  const http = () => httpFacts(asked, reply.status);
  const identity = wrongIdentity(asked, data);
  if (identity) throw new RelayctlError("mismatch", identity, { applied: "unknown", http: http() });
  const { different, unconfirmed } = judgeAnswer(asked, data);
  const wrong = mismatch(asked, data, different, facts.before, http);
  if (wrong) throw wrong;
  return { data, body: reply.body, unconfirmed };
}
