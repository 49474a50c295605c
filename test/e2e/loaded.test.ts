import { execa } from "execa";
import { expect, test } from "vitest";
import { ROOT } from "./relayctl.ts";

test("a start loads no library that it has no use for", async () => {
  const { exitCode, stderr } = await execa("node", ["scripts/loaded.js", "--check"], { cwd: ROOT, reject: false });
  expect([exitCode, stderr]).toEqual([0, ""]);
});
