import { describe, expect, test } from "vitest";
import { parseJson } from "../../../../src/contract/json.ts";
import { transactionSchemas } from "../../../../src/contract/requests.ts";
import { recorded } from "../../../helpers/service/recorded.ts";
import { issuesOf } from "../../issues.ts";

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
/** What the body alone does not tell. */
const NEEDS_MORE = /^Relayer paused$|not whitelisted$|^The validUntil time cannot be in the past$/;

test("there are enough recorded transactions", () => {
  expect(sends.length).toBeGreaterThan(35);
});

describe("a recorded transaction that was accepted is valid", () => {
  const accepted = sends.filter(({ status, name }) => status === 200 && !TAKEN_AND_LOST.includes(name));

  test.each(accepted)("$name", ({ schema, body }) => {
    expect(issuesOf(schema, body)).toEqual([]);
  });
});

describe("a recorded transaction that was refused is invalid", () => {
  const refused = sends.filter(({ status, error }) => status !== 200 && !NEEDS_MORE.test(error));

  test.each(refused)("$name", ({ schema, body }) => {
    expect(issuesOf(schema, body)).not.toEqual([]);
  });
});

describe("a rule across fields has the service's message", () => {
  const ruled = sends.filter(({ error }) =>
    /^(?:Both|Transaction must|Cannot|EIP1559|maxFee|gas_limit|Must)/.test(error),
  );

  test.each(ruled)("$name", ({ schema, body, error }) => {
    expect(issuesOf(schema, body)[0]?.replace(/^\w+: /, "")).toBe(error);
  });
});

test.each(TAKEN_AND_LOST)("%s: what the service accepts and then loses is invalid", (name) => {
  const [found] = sends.filter((send) => send.name === name);
  expect(issuesOf(transactionSchemas.evm, found?.body ?? "")).toHaveLength(1);
});
