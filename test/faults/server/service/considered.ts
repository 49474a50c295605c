import type { JsonObject } from "../../../../src/contract/json.ts";
import type { WireReply } from "../../../../src/contract/wire.ts";
import type { Dialect } from "./dialect.ts";

/** What the service makes of a request. */
export interface Considered {
  /** What it is about. */
  id: string;
  /** Absent when it changes nothing, or is refused. */
  apply?: () => void;
  /** The complete response; before `apply`, what a service sends that ignores the request: the thing as it is. */
  reply(): WireReply;
}

export function answering(id: string, reply: WireReply): Considered {
  return { id, reply: () => reply };
}

/** A thing that is changed or made when the write is applied, and shown as it then is. */
export function saving(
  things: Map<string, JsonObject>,
  id: string,
  change: () => JsonObject,
  dialect: Dialect,
  status = 200,
): Considered {
  const reply = () => dialect.success(dialect.shown(things.get(id) ?? {}), { status });
  return { id, apply: () => void things.set(id, change()), reply };
}
