import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { avoidedWords } from "../helpers/word-list.ts";
import { DOCUMENTS, ROOT } from "./documents.ts";

describe("plain words", () => {
  test.each(DOCUMENTS)("are used in %s", (name) => {
    expect(avoidedWords(readFileSync(join(ROOT, name), "utf8"))).toEqual([]);
  });

  test("are checked in prose, not in code", () => {
    expect(avoidedWords("The server tells all.")).toEqual(['"The server tells all." (write: show, report, print)']);
    expect(avoidedWords("Run `relayctl tell`.\n```\ntell\n```\n")).toEqual([]);
  });
});
