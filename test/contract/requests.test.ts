import * as z from "zod/mini";
import { parseJson } from "../../src/contract/json.ts";
import { brokenRules } from "../../src/contract/requests/broken-rules.ts";
import {
  createNotificationSchema,
  replacementSchemas,
  transactionSchemas,
  updateNetworkSchema,
  updateNotificationSchema,
  updateRelayerSchema,
} from "../../src/contract/requests.ts";
import { DISTINGUISHING_FIELD, leastReplacementPrice } from "../../src/contract/transaction/replacement-price.ts";
import { serializedSolanaProblem } from "../../src/contract/transaction/solana-transaction.ts";
import { recorded, section } from "../helpers/service/recorded.ts";
import { issuesOf } from "./issues.ts";
import { SERIALIZED, serializedTransaction } from "./solana-transaction.ts";

describe("a relayer's update", () => {
  test("is refused in the same words if another user of Zod sets a language", () => {
    z.config(z.locales.de());
    try {
      const broken = brokenRules(updateRelayerSchema, { policies: [] });
      expect(broken).toEqual([{ path: ["policies"], rule: "must be an object" }]);
    } finally {
      z.config({ localeError: undefined });
    }
  });

  test.each([
    "{}",
    '{"name":"x"}',
    '{"name":null}',
    '{"paused":true}',
    '{"notification_id":null}',
    '{"custom_rpc_urls":null}',
    '{"custom_rpc_urls":[]}',
    '{"custom_rpc_urls":[{"url":"http://127.0.0.1:8545/k","weight":0},{"url":"https://u:p@h/x","weight":100}]}',
    '{"policies":null}',
    '{"policies":{}}',
  ])("%s is accepted", (body) => expect(issuesOf(updateRelayerSchema, body)).toEqual([]));

  test.each([
    ['{"name":""}', "name: Name cannot be empty"],
    ['{"paused":null}', "paused: true or false"],
    ['{"paused":"true"}', "paused: true or false"],
    ['{"notification_id":""}', "notification_id: an id, or null"],
    [
      '{"custom_rpc_urls":[{"url":"https://h/***"}]}',
      "custom_rpc_urls.0.url: is masked by the service; writing it back would cut the relayer off",
    ],
    [
      '{"custom_rpc_urls":[{"url":"ftp://x"}]}',
      "custom_rpc_urls.0.url: Invalid URL scheme 'ftp': only http and https are allowed",
    ],
    ['{"custom_rpc_urls":[{"url":"https://"}]}', "custom_rpc_urls.0.url: an http or https URL"],
    ['{"custom_rpc_urls":[{"url":"http://0:8545"}]}', "custom_rpc_urls.0.url: the service refuses the host 0.0.0.0"],
    [
      '{"custom_rpc_urls":[{"url":"https://h","weight":101}]}',
      "custom_rpc_urls.0.weight: RPC URL weight must be in range 0-100",
    ],
    [
      '{"custom_rpc_urls":[{"url":"https://h","weight":-1}]}',
      "custom_rpc_urls.0.weight: RPC URL weight must be in range 0-100",
    ],
    ['{"custom_rpc_urls":[{"url":"https://h","x":1}]}', "custom_rpc_urls.0: unknown x"],
    ['{"id":"x"}', ": unknown id"],
  ])("%s is refused", (body, issue) => expect(issuesOf(updateRelayerSchema, body)).toEqual([issue]));

  test.each(["metadata.google.internal", "169.254.169.254", "[fd00:ec2::254]", "0.0.0.0", "[::]"])(
    "rejects %s as the host of an RPC URL of a relayer or a network",
    (host) => {
      const urls = `[{"url":"http://${host}:8545/x"}]`;
      const rule = `the service refuses the host ${host}`;
      expect(issuesOf(updateRelayerSchema, `{"custom_rpc_urls":${urls}}`)).toEqual([`custom_rpc_urls.0.url: ${rule}`]);
      expect(issuesOf(updateNetworkSchema, `{"rpc_urls":${urls}}`)).toEqual([`rpc_urls.0.url: ${rule}`]);
    },
  );

  test.each(['{"custom_rpc_urls":["https://h"]}', "[]", '"x"', '{"policies":[]}'])("%s is refused", (body) => {
    expect(issuesOf(updateRelayerSchema, body)).toHaveLength(1);
  });
});

describe("a notification's creation", () => {
  test.each(['{"url":"https://h"}', '{"url":"ftp://h/x","id":"a","type":"webhook","signing_key":"k"}'])(
    "%s is accepted",
    (body) => expect(issuesOf(createNotificationSchema, body)).toEqual([]),
  );

  test.each([
    ['{"id":"a"}', /^url: /],
    ['{"url":"not a url"}', /^url: Invalid URL format: an absolute URL$/],
    ['{"url":""}', /^url: Invalid URL format: an absolute URL$/],
    ['{"url":"https://h","id":""}', /^id: is empty$/],
    ['{"url":"https://h","id":".."}', /^id: would change the path of the request$/],
    ['{"url":"https://h","id":"a/b"}', /^id: contains a slash/],
    ['{"url":"https://h","type":"email"}', /^type: only webhook$/],
    ['{"url":"https://h","signing_key":""}', /^signing_key: a key$/],
    ['{"url":"https://h","key":"x"}', /^: unknown key$/],
  ])("%s is refused", (body, issue) => {
    const issues = issuesOf(createNotificationSchema, body);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(issue);
  });
});

describe("a notification's update", () => {
  test("distinguishes absent, null, empty, and new keys", () => {
    for (const body of ["{}", '{"signing_key":null}', '{"signing_key":""}', '{"signing_key":"k"}'])
      expect(issuesOf(updateNotificationSchema, body)).toEqual([]);
  });

  test.each([
    ['{"url":""}', "url: Invalid URL format: an absolute URL"],
    ['{"type":"email"}', "type: only webhook"],
    ['{"id":"x"}', ": unknown id"],
  ])("%s is refused", (body, issue) => expect(issuesOf(updateNotificationSchema, body)).toEqual([issue]));
});

/** Null for absent is the real service's leniency, not the interface's. */
const writes = section("notifications").filter(
  ({ name, request, response }) => request.body !== null && response.status < 300 && name !== "create nulls",
);

test.each(writes)(
  "a recorded creation or update of a notification that succeeded is accepted: $name",
  ({ request }) => {
    const schema = request.method === "POST" ? createNotificationSchema : updateNotificationSchema;
    expect(issuesOf(schema, request.body ?? "")).toEqual([]);
  },
);

test("a Solana replacement is one encoded transaction", () => {
  expect(issuesOf(replacementSchemas.solana, '{"transaction":"AQAB"}')).toEqual([]);
  expect(issuesOf(replacementSchemas.solana, '{"transaction":""}')).toEqual(["transaction: an encoded transaction"]);
  expect(issuesOf(replacementSchemas.solana, "{}")).toHaveLength(1);
  expect(issuesOf(replacementSchemas.solana, '{"transaction":"AQAB","value":1}')).toHaveLength(1);
});

test("each network type is recognized by its required field", () => {
  for (const [kind, field] of Object.entries(DISTINGUISHING_FIELD)) {
    const kinds = Object.entries(replacementSchemas).filter(
      ([, schema]) => issuesOf(schema, { [field]: field === "value" ? 1 : "AQAB" }).length === 0,
    );
    expect(kinds.map(([name]) => name)).toEqual([kind]);
  }
});

const KINDS = { "evm-1": "evm", "xlm-1": "stellar", "sol-1": "solana" } as const;

const sends = recorded.flatMap(({ request, response, name }) => {
  const relayer = /^\/api\/v1\/relayers\/(evm-1|xlm-1|sol-1)\/transactions$/.exec(request.path)?.[1];
  if (request.method !== "POST" || !relayer) return [];
  const schema = transactionSchemas[KINDS[relayer as keyof typeof KINDS]];
  return [{ name, status: response.status, body: request.body ?? "", error: wordsOf(response.body), schema }];
});

function wordsOf(body: string): string {
  const { error } = parseJson(body) as { error: string | null };
  return error ?? "";
}

/** What the service accepts and then loses (facts 5.3, 13.3), and this tool does not. */
const TAKEN_AND_LOST = ["send camelCase ignored", "send bad address"];
/** What the body does not show. */
const NEEDS_MORE = /^Relayer paused$|not whitelisted$|^The validUntil time cannot be in the past$/;

test("there are enough recorded transactions", () => expect(sends.length).toBeGreaterThan(35));

const accepted = sends.filter(({ status, name }) => status === 200 && !TAKEN_AND_LOST.includes(name));

test.each(accepted)("a recorded transaction that was accepted is valid: $name", ({ schema, body }) => {
  expect(issuesOf(schema, body)).toEqual([]);
});

const refused = sends.filter(({ status, error }) => status !== 200 && !NEEDS_MORE.test(error));

test.each(refused)("a recorded transaction that was refused is invalid: $name", ({ schema, body }) => {
  expect(issuesOf(schema, body)).not.toEqual([]);
});

const ruled = sends.filter(({ error }) =>
  /^(?:Both|Transaction must|Cannot|EIP1559|maxFee|gas_limit|Must)/.test(error),
);

test.each(ruled)("a rule across fields has the service's message: $name", ({ schema, body, error }) => {
  expect(issuesOf(schema, body)[0]?.replace(/^\w+: /, "")).toBe(error);
});

test.each(TAKEN_AND_LOST)("%s: what the service accepts and then loses is invalid", (name) => {
  const [found] = sends.filter((send) => send.name === name);
  expect(issuesOf(transactionSchemas.evm, found?.body ?? "")).toHaveLength(1);
});

test("the price of a replacement is a tenth higher, rounded down, and at least 1 wei higher", () => {
  const prices = [0n, 1n, 9n, 10n, 19n, 10_500_000_000n];
  expect(prices.map(leastReplacementPrice)).toEqual([1n, 2n, 10n, 11n, 20n, 11_550_000_000n]);
});

const CUT = "Failed to decode transaction: Failed to deserialize transaction: io error: unexpected end of file";

/** No signature, no account, a blockhash and no instruction. */
const NO_ACCOUNT = Buffer.from([0, 0, 0, 0, 0, ...Array<number>(32).fill(9), 0]).toString("base64");
/** One instruction that promises more bytes than there are. */
const SHORT_DATA = Buffer.from([...Buffer.from(NO_ACCOUNT, "base64").subarray(0, -1), 1, 0, 0, 9, 1]);

test.each([SERIALIZED, serializedTransaction({ payer: "1".repeat(32), versioned: true })])("%s is valid", (text) => {
  expect(serializedSolanaProblem(text)).toBeUndefined();
});

test.each([
  ["AAAA", CUT],
  ["AQABAg==", CUT],
  [Buffer.from(SERIALIZED, "base64").subarray(0, -1).toString("base64"), CUT],
  [SHORT_DATA.toString("base64"), CUT],
  [NO_ACCOUNT, "Transaction has no fee payer account"],
  ["", "Failed to decode transaction: it is not base64"],
  ["AAA", "Failed to decode transaction: it is not base64"],
])("%s is rejected with the service's message", (text, problem) => expect(serializedSolanaProblem(text)).toBe(problem));
