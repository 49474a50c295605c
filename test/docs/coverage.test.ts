import { describe, expect, test } from "vitest";
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { type CoverageRow, coverageRows, operationOf } from "./coverage/rows.ts";
import { SERVICE } from "./coverage/service.ts";

const rows = await coverageRows();

test("docs/coverage.md shows what is covered now (npm run coverage-table writes it)", async () => {
  await expect(documentOf(rows)).toMatchFileSnapshot("../../docs/coverage.md");
});

test("every operation of the service has a command, or a reason why it has none", () => {
  expect(rows.filter(({ command }) => command === "").map(({ request }) => request)).toEqual([]);
});

test("every operation with a command is tested against something", () => {
  const untested = rows.filter(({ command, evidence }) => command.startsWith("`") && evidence === "");
  expect(untested.map(({ request }) => request)).toEqual([]);
});

test("every operation has a success to be held against: of interface.md, recorded, or written by hand", () => {
  const served = rows.filter(({ evidence }) => evidence !== "–" && !evidence.startsWith("a refusal"));
  const seen = /interface\.md|(?:^|, )v1\.8 as recorded|by hand/;
  expect(served.filter(({ evidence }) => !seen.test(evidence)).map(({ request }) => request)).toEqual([]);
  const refusedOnly = rows.filter(({ evidence }) => evidence.startsWith("a refusal") && !evidence.includes("by hand"));
  expect(refusedOnly.map(({ request }) => request)).toEqual([]);
});

test("every operation of the service is in the contract, but for its API keys, and none else is", () => {
  const known = SERVICE.filter(([request]) => !request.includes("/api-keys")).map(([request]) => operationOf(request));
  expect([...known].sort()).toEqual(Object.keys(operations).sort());
});

describe("the contract knows since when there is a route", () => {
  test.each(SERVICE.filter(([request]) => operationOf(request)))("%s: v%s", (request, since) => {
    const id = operationOf(request);
    const operation: Operation | undefined = id && operations[id];
    expect(operation?.since ?? "1.0").toBe(since);
  });
});

const HEAD = `# Coverage

Every operation of the service, the command that sends it, whether the embedded server plays it (501: it says so in words), and what
its tests hold it against: the replies of interface.md, exchanges that were recorded with a running v1.8, exchanges written by hand in
the same shape, and the faults of the truth table. Sections in brackets are those of the service's facts, which the contract cites too.
Any request, in this table or not: \`relayctl api METHOD PATH\`.

Written by \`npm run coverage-table\`; a test fails when it is stale.
`;

function documentOf(all: readonly CoverageRow[]): string {
  const lines = all.map(({ request, since, command, demo, evidence }) =>
    ["", `\`${request}\``, since, command, demo, evidence, ""].join(" | ").trim(),
  );
  const head = ["| Below `/api/v1` | Since | Command | Embedded server | Tested against |", "|---|---|---|---|---|"];
  return `${HEAD}\n${[...head, ...lines].join("\n")}\n`;
}
