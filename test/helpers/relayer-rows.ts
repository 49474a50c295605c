import fc from "fast-check";
import type { relayerFields, UpdateRelayerRequest } from "../../src/contract/resources/relayer.ts";
import type { Json } from "../safety/properties/merge-patched.ts";

/** What tests know of a field that `relayers update` can set, apart from its entry in the table of fields. */
export interface Row {
  /** The value as it is typed after the flag, and the value that is then sent. */
  typed: readonly string[];
  sent: Json;
  /** A value of the right type that may not be sent. */
  rejected: Json;
  /** Whether a value is of the type that the interface gives the field. */
  isTyped(value: Json): boolean;
  /** Values as users send them. */
  ordinary: fc.Arbitrary<Json>;
}

function nullableText(sent: string): Row {
  return {
    ...{ typed: [sent], sent, rejected: "" },
    isTyped: (value) => value === null || typeof value === "string",
    ordinary: fc.option(fc.string({ minLength: 1 })),
  };
}

/** `fc.webUrl` would keep each of a million characters in a map. */
const url = fc.tuple(fc.domain(), fc.base64String()).map(([host, key]) => `https://${host}/v3/${key}`);

/** One row for each field; policies have their own tests. */
export const ROWS: Readonly<Record<Exclude<keyof UpdateRelayerRequest, "policies">, Row>> = {
  name: { ...nullableText("Main"), ordinary: fc.string({ minLength: 1 }) },
  paused: {
    ...{ typed: [], sent: true, rejected: null, ordinary: fc.boolean() },
    isTyped: (value) => typeof value === "boolean",
  },
  notification_id: nullableText("audit-log"),
  custom_rpc_urls: {
    typed: ["https://rpc.example.org,weight=7"],
    sent: [{ url: "https://rpc.example.org", weight: 7 }],
    rejected: [{ url: "ftp://rpc.example.org" }],
    isTyped: (value) => value === null || (Array.isArray(value) && value.every(isUrl)),
    ordinary: fc.option(fc.array(fc.record({ url, weight: fc.nat({ max: 100 }) }))),
  },
};

function isUrl(item: Json): boolean {
  return typeof item === "object" && item !== null && !Array.isArray(item) && typeof item.url === "string";
}

type Created = {
  [K in keyof typeof relayerFields]: (typeof relayerFields)[K] extends { create: object } ? K : never;
}[keyof typeof relayerFields];

/** What is typed for the fields that only `relayers create` can set. */
export const CREATED: Readonly<Record<Exclude<Created, keyof UpdateRelayerRequest>, string>> = {
  id: "eth-new",
  network: "sepolia",
  network_type: "evm",
  signer_id: "s-new",
};
