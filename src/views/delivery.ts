import { isJsonObject, type JsonObject, type JsonValue } from "../contract/json.ts";
import { valueAtPath } from "../terminal/select/path.ts";
import type { DerivedField, ResourceView } from "../terminal/view.ts";
import { relayerView } from "./relayer.ts";
import { transactionView } from "./transaction/record.ts";

/** The last member, `delivery`, which this program adds to an event. */
export interface DeliveryFacts extends JsonObject {
  received_at: string;
  /** `valid`; `unsigned` without a signature; `unverified` with one, but without a key to verify it. */
  signature: string;
  key: number | null;
  late: boolean;
  meaning: string;
}
/** The members of payloads that are neither a transaction's nor a relayer's (facts 7.2). */
const OTHERS = ["payload_type", "relayer", "disable_reason", "retry_count", "failure_reason", "swap_results"];

const isOwn =
  ({ derived = {} }: Pick<ResourceView, "derived">) =>
  (path: string) =>
    !Object.hasOwn(derived, path);
const OF_TRANSACTION = transactionView.fields.filter(isOwn(transactionView));
const OF_RELAYER = relayerView.fields.filter(isOwn(relayerView));

/** The members of an event without a short form, since the event has one of the same name. */
const TOP = ["id", "event", "timestamp", "payload", "delivery"];

/** Returns the short form of a member: it reads the payload, then the relayer in it. */
function shortField(name: string): DerivedField {
  return {
    value: (item) => valueAtPath(item, `payload.${name}`) ?? valueAtPath(item, `payload.relayer.${name}`) ?? null,
    reads: ["payload"],
  };
}

const SHORT = [...new Set([...OF_TRANSACTION, ...OTHERS, ...OF_RELAYER])].filter((name) => !TOP.includes(name));

/** The short forms, by name: `status` is `payload.status`. */
const DERIVED: Readonly<Record<string, DerivedField>> = {
  ...Object.fromEntries(SHORT.map((name) => [name, shortField(name)])),
  relayer_id: {
    value: ({ payload }) => textAt(payload, "relayer_id") ?? textAt(payload, "relayer", "id") ?? null,
    reads: ["payload"],
  },
  transaction_id: {
    value: ({ payload }) =>
      textAt(payload, "payload_type") === "transaction" ? (textAt(payload, "id") ?? null) : null,
    reads: ["payload"],
  },
  late: { value: (item) => valueAtPath(item, "delivery.late") ?? null, reads: ["delivery"] },
};

function textAt(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return isJsonObject(value) ? valueAtPath(value, path.join(".")) : undefined;
}

/** How events are filtered and printed. A line on a terminal is drawn elsewhere. */
export const webhookEventView: ResourceView = {
  one: "webhook event",
  many: "webhook events",
  table: [],
  flat: [
    "delivery.received_at",
    "event",
    "id",
    "relayer_id",
    "transaction_id",
    "status",
    "delivery.late",
    "delivery.signature",
    "delivery.key",
    "timestamp",
    "delivery.meaning",
  ],
  fields: [
    ...TOP,
    ...[...new Set(["id", ...OF_TRANSACTION, ...OTHERS])].map((name) => `payload.${name}`),
    ...OF_RELAYER.map((name) => `payload.relayer.${name}`),
    ...["received_at", "signature", "key", "late", "meaning"].map((name) => `delivery.${name}`),
    ...Object.keys(DERIVED),
  ],
  derived: DERIVED,
  block: () => [],
};
