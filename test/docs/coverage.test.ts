import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { type CoverageRow, coverageRows, operationOf } from "./coverage/rows.ts";
import { SERVICE } from "./coverage/service.ts";

const rows = await coverageRows();

test("docs/reference/coverage.md is up to date (npm run coverage-table writes it)", () =>
  expect(documentOf(rows)).toMatchFileSnapshot("../../docs/reference/coverage.md"));

test("every operation of the service has a command, or a reason not to have one", () =>
  expect(rows.filter(({ command }) => command === "").map(({ request }) => request)).toEqual([]));

test("every operation with a command is tested against something", () => {
  const untested = rows.filter(({ command, evidence }) => command.startsWith("`") && evidence === "");
  expect(untested.map(({ request }) => request)).toEqual([]);
});

test("every operation is compared with a success: from the interface, recorded, or written by hand", () => {
  const served = rows.filter(({ evidence }) => evidence !== "–" && !evidence.startsWith("a refusal"));
  const seen = /interface\.md|(?:^|, )v1\.8 as recorded|by hand/;
  expect(served.filter(({ evidence }) => !seen.test(evidence)).map(({ request }) => request)).toEqual([]);
  const refusedOnly = rows.filter(({ evidence }) => evidence.startsWith("a refusal") && !evidence.includes("by hand"));
  expect(refusedOnly.map(({ request }) => request)).toEqual([]);
});

test("the contract has exactly the operations of the service, without API keys", () => {
  const known = SERVICE.filter(([request]) => !request.includes("/api-keys")).map(([request]) => operationOf(request));
  expect([...known].sort()).toEqual(Object.keys(operations).sort());
});

test.each(SERVICE.filter(([request]) => operationOf(request)))(
  "the contract records the version that introduced each route: %s: v%s",
  (request, since) => {
    const id = operationOf(request);
    const operation: Operation | undefined = id && operations[id];
    expect(operation?.since ?? "1.0").toBe(since);
  },
);

const HEAD = `# Coverage

Every operation of the service, the command that sends it, whether the embedded server supports it, and what its tests compare it with: the
responses of the [interface](../project/service/interface.md), exchanges recorded with a running v1.8, exchanges written by hand in the same shape, and
the faults of the truth table. \`facts 5.6\` is a section of the [facts](../project/service/facts/README.md).
To send any request, in this table or not: \`relayctl api METHOD PATH\`.

\`npm run coverage-table\` writes this file; a test fails when it is stale.
`;

function documentOf(all: readonly CoverageRow[]): string {
  const lines = all.map(({ request, since, command, demo, evidence }) =>
    ["", `\`${request}\``, since, command, demo, evidence, ""].join(" | ").trim(),
  );
  const head = ["| Below `/api/v1` | Since | Command | Embedded server | Tested against |", "|---|---|---|---|---|"];
  return `${HEAD}\n${[...head, ...lines].join("\n")}\n`;
}
