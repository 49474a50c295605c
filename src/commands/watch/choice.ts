import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { derivedField, fieldReader } from "../../terminal/select/path.ts";
import { readSelection } from "../../terminal/select/selection.ts";
import type { ResourceView } from "../../terminal/view.ts";
import type { Call } from "../command.ts";

/** What `--where`, `--sort`, `--limit`, and `--fields` choose of one read. */
export interface Choice {
  /** The time of the read, which its events have, e.g. `2026-11-21T03:12:07.000Z`. */
  time: string;
  isWanted(item: JsonObject): boolean;
  sorted(items: readonly JsonObject[]): readonly JsonObject[];
  /** Whether `--sort` decides which rows are the most important. */
  isSorted: boolean;
  limit: number;
  /** Returns what counts as a change: the named fields but ages, which always change. */
  compared?(item: JsonObject): JsonValue;
  fields: readonly string[] | undefined;
  derive: ((item: JsonObject) => JsonObject) | undefined;
}

/** Returns the choice for a read at the current time, which conditions on ages refer to. */
export async function choiceOf(call: Call, resource: ResourceView): Promise<Choice> {
  const now = call.app.clock.now();
  const { where, sort, limit, fields, derive } = await readSelection({ ...call.output, now }, resource);
  const readers = fields
    ?.filter((path) => !derivedField(resource, path)?.isAge)
    .map((path) => fieldReader(resource, path, now));
  return {
    time: new Date(now).toISOString(),
    isWanted: (item) => where.every((holds) => holds(item)),
    sorted: (items) => (sort ? sort(items) : items),
    isSorted: sort !== undefined,
    limit,
    ...(readers && { compared: (item) => readers.map((read) => read(item) ?? null) }),
    fields,
    derive,
  };
}
