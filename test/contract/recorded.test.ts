import type * as z from "zod/mini";
import { replyOutcome } from "../../src/client/attempt/outcome.ts";
import { isJsonObject, type JsonObject, parseJson, prettyJson, writeJson } from "../../src/contract/json.ts";
import type { NetworkKind } from "../../src/contract/network-kind.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { Problems } from "../../src/contract/problems.ts";
import { recognizeOperation } from "../../src/contract/reply/recognize.ts";
import {
  createNotificationSchema,
  policySchemas,
  replacementSchemas,
  updateNotificationSchema,
  updateRelayerSchema,
} from "../../src/contract/requests.ts";
import type { Method } from "../../src/contract/wire.ts";
import type { Problem } from "../../src/errors.ts";
import { type Fixture, interfaceFixtures } from "../helpers/service/interface-fixtures.ts";
import { type Recorded, recorded, replyOf } from "../helpers/service/recorded.ts";
import { reply } from "../helpers/service/reply.ts";
import { writtenFiles, writtenIn } from "../helpers/service/written.ts";
import { issuesOf } from "./issues.ts";

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
    const found = recognizeOperation(method as Method, path.split("?")[0] ?? "");
    return found && exchange.response.status < 300 ? [{ ...exchange, operation: found.operation }] : [];
  });
}

describe("a successful response to a known operation matches its schema", () => {
  const known = successesAmong(json);

  test("with enough such responses", () => expect(new Set(known.map(({ operation }) => operation.id)).size).toBe(30));

  test.each([...known, ...successesAmong(writtenFiles.flatMap(writtenIn))])("$storage $section: $name", (exchange) => {
    expect(replyOutcome(exchange.operation, replyOf(exchange)).fault).toBe("none");
  });
});

function operationOf({ name }: Fixture): Operation {
  const found = Object.values<Operation>(operations).find(({ id }) => name === id || name.startsWith(`${id}.`));
  if (!found) throw new Error(`${name} is no operation`);
  return found;
}

const all = (["replies", "requests", "failures"] as const).flatMap((kind) => interfaceFixtures(kind));

test.each(all)("every example of the interface keeps every digit: $name", ({ text }) => {
  const value = parseJson(text);
  const compact = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (found) => (found.startsWith('"') ? found : ""));
  expect(writeJson(value)).toBe(compact);
  expect(parseJson(prettyJson(value))).toEqual(value);
});

describe("every example response is a success", () => {
  const replies = interfaceFixtures("replies");

  test("covers each of the six operations", () =>
    expect(replies.map(({ name }) => name)).toEqual([
      "notifications.create",
      "notifications.list",
      "notifications.update",
      "relayers.list",
      "relayers.update",
      "tx.replace",
    ]));

  test.each(replies)("$name", (fixture) => {
    expect(replyOutcome(operationOf(fixture), reply(200, fixture.text)).fault).toBe("none");
  });

  /** The interface does not specify which fields are always there: any of them may be absent or null. */
  test.each(replies)("$name without one of its fields", (fixture) => {
    const envelope = parseJson(fixture.text) as JsonObject;
    const data = Array.isArray(envelope.data) ? envelope.data[0] : envelope.data;
    const fields = Object.keys(isJsonObject(data) ? data : {}).filter((name) => name !== "id");
    for (const value of [null, undefined]) {
      for (const field of fields) {
        const changed = { ...(data as JsonObject), [field]: value } as JsonObject;
        const text = writeJson({ ...envelope, data: Array.isArray(envelope.data) ? [changed] : changed });
        expect(replyOutcome(operationOf(fixture), reply(200, text)).fault, `${field} ${value}`).toBe("none");
      }
    }
  });

  test.each(replies)("$name without an ID is invalid", (fixture) => {
    const text = fixture.text.replace(/"id":/, '"name_of_id":');
    expect(replyOutcome(operationOf(fixture), reply(200, text)).fault).toBe("unreadable");
  });
});

const SCHEMAS: Record<string, z.ZodMiniType> = {
  "relayers.update": updateRelayerSchema,
  "notifications.create": createNotificationSchema,
  "notifications.update": updateNotificationSchema,
};

test.each(interfaceFixtures("requests"))("every example request is accepted: $name", (fixture) => {
  const operation = operationOf(fixture);
  const kind = /\.(evm|solana|stellar)\b/.exec(fixture.name)?.[1] as NetworkKind | undefined;
  const schema = operation.id === "tx.replace" && kind ? replacementSchemas[kind] : SCHEMAS[operation.id];
  if (!schema) throw new Error("nothing judges this request");
  expect(issuesOf(schema, fixture.text)).toEqual([]);
  const policies = (parseJson(fixture.text) as JsonObject).policies;
  if (kind && isJsonObject(policies)) expect(issuesOf(policySchemas[kind], policies)).toEqual([]);
});

test.each(interfaceFixtures("failures"))("every example failure is a failure with any status: $name", ({ text }) => {
  for (const status of [200, 400, 404, 500])
    expect(replyOutcome(operations["relayers.list"], reply(status, text)).fault).not.toBe("none");
});

describe("the problems of a file", () => {
  const MANY = 1_000;

  /** Problems that count how often anything asks where they are. */
  function countedProblems(): { problems: Problem[]; reads(): number } {
    let reads = 0;
    const problems = Array.from({ length: MANY }, (_, index) => ({
      get where() {
        reads += 1;
        return `field.${index}`;
      },
      rule: "is wrong",
    }));
    return { problems, reads: () => reads };
  }

  test("finds a problem however it was added, and one whose file could not be read", async () => {
    const problems = new Problems([{ where: "given", rule: "is wrong" }]);
    problems.add("added", "is wrong");
    expect(["given", "added", "pushed"].map((where) => problems.has(where))).toEqual([true, true, false]);
    problems.found.push({ where: "pushed", rule: "is wrong" });
    problems.leaveOut("left out");
    expect(["given", "added", "pushed", "left out", "other"].map((where) => problems.has(where))).toEqual([
      ...[true, true, true, true, false],
    ]);
  });

  test("reads each problem once, however many are added and asked about", () => {
    const { problems: each, reads } = countedProblems();
    const problems = new Problems();
    for (const problem of each) {
      problems.found.push(problem);
      expect(problems.has("elsewhere")).toBe(false);
    }
    expect(reads()).toBe(MANY);
  });
});
