import { outcomeOfReply } from "../../src/client/attempt/outcome.ts";
import { parseJson, writeJson } from "../../src/contract/json.ts";
import { recognize } from "../../src/contract/reply/recognize.ts";
import type { Method } from "../../src/contract/wire.ts";
import { type Recorded, recorded, replyOf } from "../helpers/service/recorded.ts";
import { writtenFiles, writtenIn } from "../helpers/service/written.ts";

const json = recorded.filter(({ response }) => /^\s*[[{]/.test(response.body));
const compact = json.filter(({ response }) => !/^\{ ?"success": /.test(response.body));

test("most recorded responses are JSON, nearly all of it compact", () =>
  expect([recorded.length, json.length, compact.length]).toEqual([319, 295, 294]));

describe("a recorded response is parsed and written without loss", () => {
  test.each(compact)("$storage $section: $name", ({ response }) => {
    expect(writeJson(parseJson(response.body))).toBe(response.body);
  });

  test("except for the spaces of one response", () => {
    const [spaced] = json.filter((exchange) => !compact.includes(exchange));
    expect(writeJson(parseJson(spaced?.response.body ?? ""))).toBe(
      '{"success":false,"code":401,"error":"Unauthorized","message":"Unauthorized"}',
    );
  });
});

/** The successes of operations that the contract knows. */
function successesAmong(exchanges: readonly Recorded[]) {
  return exchanges.flatMap((exchange) => {
    const { method, path } = exchange.request;
    const found = recognize(method as Method, path.split("?")[0] ?? "");
    return found && exchange.response.status < 300 ? [{ ...exchange, operation: found.operation }] : [];
  });
}

describe("a successful response to a known operation matches its schema", () => {
  const known = successesAmong(json);

  test("with enough such responses", () => expect(new Set(known.map(({ operation }) => operation.id)).size).toBe(30));

  test.each([...known, ...successesAmong(writtenFiles.flatMap(writtenIn))])("$storage $section: $name", (exchange) => {
    expect(outcomeOfReply(exchange.operation, replyOf(exchange)).fault).toBe("none");
  });
});
