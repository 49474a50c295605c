import { execa } from "execa";

test("npm run chaos bundles the sources and lives the seeds that it is given", async () => {
  const { stdout } = await execa("node", ["scripts/chaos.js", "--seed", "1", "--runs", "2"]);
  expect(stdout).toContain("seeds 1 to 2: 2 lives, 0 with findings\n");
});
