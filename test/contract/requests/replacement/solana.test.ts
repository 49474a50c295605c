import { expect, test } from "vitest";
import { TELLING_MEMBER } from "../../../../src/contract/replacement.ts";
import { replacementSchemas } from "../../../../src/contract/requests.ts";
import { issuesOf } from "../../issues.ts";

test("a Solana replacement is one encoded transaction", () => {
  expect(issuesOf(replacementSchemas.solana, '{"transaction":"AQAB"}')).toEqual([]);
  expect(issuesOf(replacementSchemas.solana, '{"transaction":""}')).toEqual(["transaction: an encoded transaction"]);
  expect(issuesOf(replacementSchemas.solana, "{}")).toHaveLength(1);
  expect(issuesOf(replacementSchemas.solana, '{"transaction":"AQAB","value":1}')).toHaveLength(1);
});

test("each kind is told by the member that it must have", () => {
  for (const [kind, member] of Object.entries(TELLING_MEMBER)) {
    const kinds = Object.entries(replacementSchemas).filter(
      ([, schema]) => issuesOf(schema, { [member]: member === "value" ? 1 : "AQAB" }).length === 0,
    );
    expect(kinds.map(([name]) => name)).toEqual([kind]);
  }
});
