import { expect, test } from "vitest";
import { appliedIn } from "../helpers/receipts.ts";
import { bash, relayctl } from "./relayctl.ts";
import { serve } from "./served.ts";

const FLEET = 400;

test("a fleet is paused from a pipe of ids, over shared connections, without a word of Node's own", async () => {
  const { env } = await serve(["--seed", `fleet:${FLEET}`]);
  const line =
    "relayctl relayers list -o name | relayctl relayers pause - --yes --concurrency 64 -o name | sort -u | wc -l";
  const { stdout, stderr } = await bash(line, { env });
  expect(stdout.trim()).toBe(String(FLEET));
  expect(stderr).toMatch(new RegExp(`^${appliedIn("\\S+")}400 relayers paused → true\n$`));
  expect((await relayctl(["relayers", "list", "--where", "!paused", "-o", "name"], { env })).stdout).toBe("");
});

test("a service that limits the rate slows all of it down, and loses none", async () => {
  const { env } = await serve(["--seed", `fleet:${FLEET}`, "--rate-limit", "400/s:100"]);
  const { exitCode, stdout } = await relayctl(
    ["relayers", "update", "--all", "--name", "Renamed", "--yes", "-o", "name", "--retries", "0"],
    { env },
  );
  expect(exitCode).toBe(0);
  expect(stdout.trim().split("\n")).toHaveLength(FLEET);
});

test("a reader that leaves does not keep the rest from being done", async () => {
  const { env } = await serve(["--seed", `fleet:${FLEET}`]);
  const { stdout } = await bash("relayctl relayers pause --all --yes -o ndjson | head -1", { env });
  expect(stdout.split("\n")).toHaveLength(2);
  expect((await relayctl(["relayers", "list", "--where", "!paused", "-o", "name"], { env })).stdout).toBe("");
});
