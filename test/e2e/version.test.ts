import { commitOf } from "../../scripts/build-facts.js";
import { VERSION } from "../../src/version.ts";
import { ROOT, relayctl } from "./relayctl.ts";

test("a program that was built in a checkout reports its commit, which --version leaves out", async () => {
  const { exitCode, stdout } = await relayctl(["version", "-o", "json"]);
  const { version, commit, clean } = JSON.parse(stdout);
  // It may be older than the checkout.
  const facts = commitOf(ROOT) ? [expect.stringMatching(/^[0-9a-f]{40}$/), expect.any(Boolean)] : [null, null];
  expect([exitCode, version, commit, clean]).toEqual([0, VERSION, ...facts]);
  expect((await relayctl(["--version"])).stdout).toBe(`${VERSION}\n`);
});
