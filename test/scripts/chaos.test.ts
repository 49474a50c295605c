import { execa } from "execa";
import { chosen, DEEP } from "../helpers/deep.ts";

test("npm run chaos bundles the sources and lives the seeds that it is given", async () => {
  const { stdout } = await execa("node", ["scripts/chaos.js", "--seed", "1", "--runs", "2"]);
  expect(stdout).toContain("seeds 1 to 2: 2 lives, 0 with findings\n");
});

/** A break for each sort of finding, which the first lives have: two here, from a seed that finds them, and all in a deep run. */
const BREAKS = [
  ["A revert counts as success", "false verdict", 1],
  ["The search for a nonce is one block off", "left open", 1],
  ["A request leaves before its intent is recorded", "sent before its intent was recorded", 1],
  ["Every failure is recorded as not applied", "2 transactions with one key", 11],
  ["An undo clears what it should restore", "undone, but", 1],
  ["A raised cap is restored although someone else changed it", "overwrites a cap", 1],
  ["A resumed run sends each row", "paid 2 times", 9],
  ["A gas limit is used again", "sent again with the gas limit", 1],
] as const;

test.each(chosen(BREAKS, 3, 6))("npm run chaos -- --breaks finds that %s: %s", async (what, finding, seed) => {
  const more = ["--threads", "1", "--seed", String(DEEP ? 1 : seed)];
  const { stdout } = await execa("node", ["scripts/chaos.js", "--breaks", "--only", what, ...more]);
  expect(stdout).toContain(finding);
});
