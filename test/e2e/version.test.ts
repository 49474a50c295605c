import { expect, test } from "vitest";
import { commitOf } from "../../scripts/build-facts.js";
import { VERSION } from "../../src/version.ts";
import { ROOT, relayctl } from "./relayctl.ts";

test("the built program reports the commit of the checkout, which --version leaves out", async () => {
  const { exitCode, stdout } = await relayctl(["version", "-o", "json"]);
  const { hash } = commitOf(ROOT) ?? { hash: null };
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ version: VERSION, commit: hash })]);
  expect((await relayctl(["--version"])).stdout).toBe(`${VERSION}\n`);
});
