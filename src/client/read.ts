import type { JsonObject } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import type { Answer } from "./answer.ts";
import { failed, httpFacts } from "./failed.ts";
import type { Link } from "./link.ts";
import type { Outcome } from "./outcome.ts";
import type { Ask } from "./request.ts";
import { send } from "./send.ts";

export type Success = Outcome & { fault: "none" };

/** Sends a request that changes nothing and gives its reply. */
export async function readReplyOf(ask: Ask, link: Link): Promise<Success> {
  const settled = await send(ask, link);
  if (settled.outcome.fault !== "none") throw failed(ask, settled, link.clock);
  return settled.outcome;
}

/** Reads one resource; one with another id than asked for is no answer. */
export async function readOne<T extends JsonObject>(ask: Ask, link: Link): Promise<Answer<T>> {
  const { data, reply } = await readReplyOf(ask, link);
  const asked = lastParameter(ask);
  if (ask.operation.answers && (data as JsonObject).id !== asked) {
    throw new RelayctlError("server", "the service answered with another thing than was asked for", { http: httpFacts(ask, reply.status) });
  }
  return { data: data as T, body: reply.body, unconfirmed: [] };
}

/** The id that the path ends with. */
export function lastParameter(ask: Ask): string | undefined {
  const name = [...ask.operation.path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
  return name === undefined ? undefined : ask.parameters?.[name];
}
