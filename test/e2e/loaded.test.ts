import { execa } from "execa";
import { ROOT } from "./relayctl.ts";

test("startup loads no unused library", async () => {
  const { exitCode, stderr } = await execa("node", ["scripts/loaded.js", "--check"], { cwd: ROOT, reject: false });
  expect([exitCode, stderr]).toEqual([0, ""]);
});
