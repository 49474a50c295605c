import { exited } from "../helpers/exited.ts";
import { appliedIn, CANNOT_UNDO } from "../helpers/receipts.ts";
import { bash, relayctl } from "./relayctl.ts";
import { type EmbeddedService, serve } from "./services/embedded.ts";

const FLEET = 200;

async function notPaused({ read }: EmbeddedService): Promise<unknown[]> {
  const relayers = (await read("/relayers?per_page=1000")) as { paused: boolean }[];
  expect(relayers).toHaveLength(FLEET);
  return relayers.filter(({ paused }) => !paused);
}

test("pauses a fleet from a pipe of IDs over shared connections, without a Node warning", async () => {
  const service = await serve({ seed: `fleet:${FLEET}` });
  const line =
    "relayctl relayers list -o name | relayctl relayers pause - --yes --concurrency 64 -o name | sort -u | wc -l";
  const { stdout, stderr } = await bash(line, service);
  expect(stdout.trim()).toBe(String(FLEET));
  expect(stderr).toMatch(
    new RegExp(
      `^${appliedIn("\\S+")}200 relayers paused\n${CANNOT_UNDO} by one command: there are more than 100 relayers.*\n$`,
    ),
  );
  expect(await notPaused(service)).toEqual([]);
});

test("all relayers are paused even if the reader closes the pipe early", async () => {
  const service = await serve({ seed: `fleet:${FLEET}` });
  const { stdout } = await bash("relayctl relayers pause --all --yes -o ndjson | head -1", service);
  expect(stdout.split("\n")).toHaveLength(2);
  expect(await notPaused(service)).toEqual([]);
});

test("waits of many requests for a new demo's state print no Node warning", async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `tx-${index}`);
  const { stderr } = await exited(5, relayctl(["--demo", "tx", "get", "eth-main-1", ...ids]));
  expect(stderr).toMatch(/^error: 40 of 40 transactions failed\n/);
});

test("responses that a slow reader has not taken print no Node warning", async () => {
  const greeting = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "agent", version: "1" } };
  const calls = Array.from({ length: 60 }, (_, id) => ({ id: id + 1, method: "tools/call", params: { name: "none" } }));
  const messages = [{ id: 0, method: "initialize", params: greeting }, ...calls];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const { stdout } = await exited({ exitCode: 0, stderr: "" }, relayctl(["--demo", "mcp"], { input }));
  expect(stdout.trim().split("\n")).toHaveLength(messages.length);
});
