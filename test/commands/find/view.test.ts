import { findView } from "../../../src/find/view.ts";

test("no relayer and no ID of a match is cut, and only several contexts have a column", () => {
  const [alone, several] = [findView(false), findView(true)].map(({ table }) => table);
  expect(alone?.map(({ header }) => header)).toEqual(["kind", "relayer", "id", "what"]);
  expect(several?.map(({ header }) => header)).toEqual(["context", "kind", "relayer", "id", "what"]);
  for (const { header, whole } of several ?? [])
    if (["relayer", "id", "context"].includes(header)) expect([header, whole]).toEqual([header, true]);
});
