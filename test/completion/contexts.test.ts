import { contextCandidates } from "../../src/completion/configured.ts";

test("offers contexts with their servers, without other settings", () => {
  const config = { version: 1, contexts: { prod: { server: "https://relayer.example.org", token: "secret" } } };
  expect(contextCandidates(JSON.stringify(config))).toEqual([{ word: "prod", summary: "https://relayer.example.org" }]);
});

test("omits invalid contexts from a file edited by hand", () => {
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

test.each([undefined, "null", "[]", '{"contexts":[]}'])("offers none for %s", (text) =>
  expect(contextCandidates(text)).toEqual([]),
);
