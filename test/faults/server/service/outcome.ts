import type { JsonObject } from "../../../../src/contract/json.ts";
import type { WireReply } from "../../../../src/contract/wire.ts";
import type { Dialect } from "./dialect.ts";
import type { Considered } from "./service.ts";

export function refused(id: string, reply: WireReply): Considered {
  return { id, reply: () => reply, current: () => reply };
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
  return { id, apply: () => void things.set(id, change()), reply, current: reply };
}

/** A deletion, with a sentence as its response (facts 3.1 and 6). */
export function removing(things: Map<string, JsonObject>, id: string, dialect: Dialect): Considered {
  if (!things.has(id)) return refused(id, dialect.failure(404, `${id} not found`));
  const reply = () => dialect.success("deleted successfully");
  return { id, apply: () => void things.delete(id), reply, current: reply };
}
