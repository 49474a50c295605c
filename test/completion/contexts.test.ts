import { expect, test } from "vitest";
import { contextCandidates } from "../../src/completion/contexts.ts";

test("contexts are offered with their servers, and with nothing else of theirs", () => {
  const config = { version: 1, contexts: { prod: { server: "https://relayer.example.org", token: "secret" } } };
  expect(contextCandidates(JSON.stringify(config))).toEqual([{ word: "prod", summary: "https://relayer.example.org" }]);
});

test("what was written by hand is not put into a command line", () => {
  const contexts = {
    "a b": { server: "https://x.example" },
    ok: { server: "https://u:p@x.example" },
    odd: 7,
    bare: {},
  };
  expect(contextCandidates(JSON.stringify({ contexts }))).toEqual([
    { word: "ok", summary: expect.not.stringContaining("p@") },
    { word: "bare" },
  ]);
});

test.each([undefined, "null", "[]", '{"contexts":[]}'])("%s has none", (text) =>
  expect(contextCandidates(text)).toEqual([]),
);
