import { expect, test } from "vitest";
import { replacementSchemas } from "../../../../src/contract/requests.ts";
import { DISTINGUISHING_FIELD } from "../../../../src/contract/transaction/replacement.ts";
import { issuesOf } from "../../issues.ts";

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
