import { expect, test } from "vitest";
import { ndjsonLine } from "../../../src/terminal/formats/ndjson.ts";
import { MAX_U128, relayer } from "../sample-relayers.ts";

test("writes one line for any content", () => {
  expect(ndjsonLine(relayer(`{"id":"a\\nb","cap":${MAX_U128}}`))).toBe(`{"id":"a\\nb","cap":${MAX_U128}}\n`);
});
