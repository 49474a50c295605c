import { LONGEST_NEW_ID } from "../id.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { NETWORK_KINDS } from "../network-kind.ts";
import { amount, nullishShape, objectShape, text } from "../reply/shape.ts";
import { type FieldTable, fieldsShape, MAX_RELAYER_WEIGHT } from "./field.ts";
import type { Patch, Returned } from "./field-types.ts";

export type { RpcConfig } from "./field.ts";

const NOTIFIED = ["--notification-id <id>", "ID of the notification that receives the relayer's events"] as const;

/** Every field of a relayer (interface 2.1, facts 3.1, 4.1). New fields go last: tsv and csv columns are only appended. */
export const relayerFields = {
  id: {
    ...{ holds: "id", label: "id", table: 1, flat: true, v1_8: 1 },
    create: {
      form: "new id",
      null: "accepted",
      flag: ["--id <id>", `Relayer ID, up to ${LONGEST_NEW_ID} letters, digits, - and _ (default: generated)`],
    },
  },
  name: {
    ...{ holds: "text", label: "name", table: 2, flat: true, v1_8: 2 },
    create: {
      form: "text",
      rule: "Name cannot be empty",
      needed: "its display name",
      flag: ["--name <text>", "Display name (required)"],
    },
    update: {
      form: "text",
      rule: "Name cannot be empty",
      null: "refused",
      flag: ["--name <text>", "Set the name"],
      clear: ["--no-name", "Send null (rejected by the service: a name is required)"],
      edit: { type: "name" },
    },
  },
  /** The network's name, e.g. `sepolia`. */
  network: {
    ...{ holds: "text", label: "network", table: 3, flat: true, v1_8: 3 },
    create: {
      form: "text",
      rule: "Network cannot be empty",
      needed: "the network's name, e.g. sepolia",
      flag: ["--network <name>", "Network name, e.g. sepolia (required)"],
    },
  },
  /** `evm`, `solana`, `stellar`, or a later kind. */
  network_type: {
    ...{ holds: "text", flat: true, v1_8: 4 },
    create: {
      form: "word",
      words: NETWORK_KINDS,
      needed: "evm, solana or stellar",
      flag: ["--network-type <type>", "Network type (required)"],
    },
  },
  /** The operator's flag. */
  paused: {
    ...{ holds: "flag", label: "state", table: 4, flat: true, v1_8: 5 },
    create: {
      form: "flag",
      otherwise: false,
      flag: ["--paused", "Create the relayer paused: it takes no work until you resume it"],
    },
    update: {
      form: "flag",
      flag: ["--paused", "Pause the relayer"],
      clear: ["--no-paused", "Resume the relayer"],
      edit: { type: "state", name: "paused" },
    },
  },
  /** Set and cleared by the service's checks. */
  system_disabled: { holds: "flag", flat: true, v1_8: 11 },
  /** Why the service disabled the relayer: `type` and `details`. */
  disabled_reason: {
    ...{ holds: "object", flat: "disabled_reason.type", v1_8: 12 },
    paths: ["disabled_reason.type", "disabled_reason.details"],
  },
  address: { holds: "text", label: "address", table: 6, flat: true, v1_8: 10 },
  signer_id: {
    ...{ holds: "text", label: "signer", flat: true, v1_8: 7 },
    create: {
      form: "text",
      rule: "Signer ID cannot be empty",
      needed: "the signer that holds its key",
      refersTo: "signer",
      flag: ["--signer-id <id>", "ID of the signer that holds the key (required)"],
    },
  },
  notification_id: {
    ...{ holds: "text", label: "notification", table: 5, flat: true, v1_8: 8 },
    create: { form: "id", null: "accepted", refersTo: "notification", flag: NOTIFIED },
    update: {
      form: "text",
      rule: "an id, or null",
      null: "accepted",
      refersTo: "notification",
      flag: NOTIFIED,
      clear: ["--no-notification-id", "Clear the notification"],
      edit: { type: "notification", unset: "its events are not reported" },
    },
  },
  /** RpcConfigs; services from v1.4 on mask the path and query of each URL. */
  custom_rpc_urls: {
    ...{ holds: "list", label: "rpc urls", v1_8: 9 },
    create: {
      form: "rpc urls",
      null: "accepted",
      flag: [
        "--rpc-url <url[,weight=n]>",
        `RPC URL, with an optional weight (0–${MAX_RELAYER_WEIGHT}); repeat for each URL; replaces the network's own`,
      ],
    },
    update: {
      form: "rpc urls",
      null: "accepted",
      flag: [
        "--rpc-url <url[,weight=n]>",
        `RPC URL, with an optional weight (0–${MAX_RELAYER_WEIGHT}); repeat for each URL; replaces the whole list`,
      ],
      clear: ["--no-rpc-urls", "Clear the list"],
      edit: { type: "rpc_urls", unset: "the network's own URLs are used" },
    },
  },
  /** By the relayer's kind; amounts in its smallest unit, a `bigint` above 2^53. Special flags set it. */
  policies: {
    ...{ holds: "object", label: "policies", v1_8: 6 },
    create: { form: "policies", null: "accepted" },
    update: { form: "policies", null: "accepted" },
  },
} as const satisfies FieldTable;

/** The documented fields; only the ID is always there. */
export type RelayerFields = Returned<typeof relayerFields>;

/** A relayer as the service returns it. Everything but the ID may be absent or null, and unknown fields are kept. */
export type Relayer = RelayerFields & JsonObject;

export const relayerShape = fieldsShape(relayerFields);

/** interface 4.2: every field is optional; absent keeps, null clears (facts 4.5). */
export type UpdateRelayerRequest = Patch<typeof relayerFields>;

/** The balance of a relayer's address (facts 3.1): an integer of any size, in the smallest unit of its network. */
export interface Balance extends JsonObject {
  balance: JsonValue;
  /** `wei`, `lamport`, or `stroop`. */
  unit: JsonValue;
}

export const balanceShape = objectShape({ balance: amount, unit: nullishShape(text) });
