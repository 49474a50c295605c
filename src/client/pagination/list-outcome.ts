import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { type Envelope, envelopeOf, wrongPagination } from "../../contract/reply/envelope.ts";
import {
  itemValue,
  type KnownKeys,
  type ListItem,
  type ListReply,
  listItemsOf,
  readListReply,
} from "../../contract/reply/list-reply.ts";
import { type Shape, setOddAside } from "../../contract/reply/shape.ts";
import type { WireReply } from "../../contract/wire.ts";

export type ListSuccess = NonNullable<ReturnType<typeof outlinedList>>;

/** Returns the list in a response without building its items; undefined if the response has to be parsed whole. */
export function outlinedList(
  { status, body }: WireReply,
  mostValues: number,
  knownKeys: KnownKeys | undefined,
  shape: Shape,
) {
  const found = status >= 200 && status < 300 ? readListReply(body, mostValues, knownKeys, shape) : undefined;
  const envelope = found && envelopeOf(found.document);
  if (!found || !envelope?.success || wrongPagination(envelope) !== undefined) return undefined;
  return new OutlinedList(envelope, found);
}

/** A class, since a getter in each object would be a hidden class for each list, which V8 keeps for long. */
class OutlinedList implements ListSuccess {
  readonly envelope: Envelope;
  readonly items: readonly ListItem[];
  readonly release: () => void;

  constructor(envelope: Envelope, { items, release }: ListReply) {
    this.envelope = envelope;
    this.items = items;
    this.release = release;
  }

  get data(): JsonValue {
    return this.items.map(itemValue);
  }
}

/** Returns the items of a parsed list, or the position of an invalid one: each needs an ID. */
export function itemsIn(
  envelope: Envelope,
  { loose = [] }: Shape,
): { items: readonly ListItem[] } | { wrongAt: string } {
  const { data = null } = envelope;
  if (!Array.isArray(data)) return { wrongAt: "" };
  if (!data.every(isItem)) return { wrongAt: wrongItem(data) };
  for (const item of data) setOddAside(item, loose);
  const wrongAt = wrongPagination(envelope);
  return wrongAt === undefined ? { items: listItemsOf(data) } : { wrongAt };
}

function wrongItem(data: readonly JsonValue[]): string {
  const index = data.findIndex((item) => !isItem(item));
  return isJsonObject(data[index]) ? `${index}.id` : String(index);
}

function isItem(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && typeof value.id === "string";
}
