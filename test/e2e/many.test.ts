import { expect, test } from "vitest";
import { appliedIn } from "../helpers/receipts.ts";
import { bash, relayctl } from "./relayctl.ts";
import { serve } from "./services/served.ts";

const FLEET = 400;

test("pauses a fleet from a pipe of IDs over shared connections, without a Node warning", async () => {
  const { env } = await serve(["--seed", `fleet:${FLEET}`]);
  const line =
    "relayctl relayers list -o name | relayctl relayers pause - --yes --concurrency 64 -o name | sort -u | wc -l";
  const { stdout, stderr } = await bash(line, { env });
  expect(stdout.trim()).toBe(String(FLEET));
  expect(stderr).toMatch(new RegExp(`^${appliedIn("\\S+")}400 relayers paused\n$`));
  expect((await relayctl(["relayers", "list", "--where", "!paused", "-o", "name"], { env })).stdout).toBe("");
});

test("a rate limit slows down all requests, and all of them succeed", async () => {
  const { env } = await serve(["--seed", `fleet:${FLEET}`, "--rate-limit", "400/s:100"]);
  const { exitCode, stdout } = await relayctl(
    ["relayers", "update", "--all", "--name", "Renamed", "--yes", "-o", "name", "--retries", "0"],
    { env },
  );
  expect(exitCode).toBe(0);
  expect(stdout.trim().split("\n")).toHaveLength(FLEET);
});

test("all relayers are paused even if the reader closes the pipe early", async () => {
  const { env } = await serve(["--seed", `fleet:${FLEET}`]);
  const { stdout } = await bash("relayctl relayers pause --all --yes -o ndjson | head -1", { env });
  expect(stdout.split("\n")).toHaveLength(2);
  expect((await relayctl(["relayers", "list", "--where", "!paused", "-o", "name"], { env })).stdout).toBe("");
});
