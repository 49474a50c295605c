import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { webhookSignature } from "../../src/contract/webhook/signature.ts";
import { readWebhookRecord } from "../../src/webhooks/record.ts";
import { chosen, DEEP } from "../helpers/deep.ts";
import { listenInTest } from "../helpers/service/listen.ts";
import { newFolder, relayctl, start } from "./relayctl.ts";
import { serve } from "./services/served.ts";

const CONNECTIONS = 16;

/** Delivers events with these IDs over sixteen connections, and returns how many responses had each status. */
async function burst(port: number, key: string, ids: readonly string[]): Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  onTestFinished(() => agent.destroy());
  const statuses: Record<string, number> = {};
  const left = [...ids];
  const sender = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const status = await delivered(agent, port, key, id);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sender));
  return statuses;
}

function delivered(agent: Agent, port: number, key: string, id: string): Promise<number> {
  const transaction = { id: `tx-${id}`, relayer_id: "r1", status: "submitted", data: `0x${"ab".repeat(300)}` };
  const payload = { payload_type: "transaction", ...transaction };
  const body = JSON.stringify({ id, event: "transaction_update", payload, timestamp: "2026-08-20T10:00:00Z" });
  const headers = { "content-type": "application/json", "x-signature": webhookSignature(key, body) };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: "127.0.0.1", port, method: "POST", headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject).end(body);
  });
}

const [OLD, NEW] = ["o".repeat(40), "n".repeat(40)];

/** A listener with two keys that runs, and its port. */
async function listen(args: readonly string[], folder = newFolder()) {
  writeFileSync(join(folder, "old.key"), OLD);
  writeFileSync(join(folder, "new.key"), NEW);
  const keys = ["--signing-key-file", "new.key", "--signing-key-file", "old.key"];
  const { child, ended } = start(["webhooks", "listen", ...keys, ...args], { folder });
  const port = await new Promise<number>((resolve, reject) => {
    let text = "";
    child.stderr?.on("data", (bytes: Buffer) => {
      text += bytes;
      const found = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.stderr?.on("end", () => reject(new Error(text)));
  });
  return { folder, child, ended, port };
}

/** The memory of a process in KiB. */
function residentOf(pid: number | undefined): number {
  const [, size = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(size);
}

test("prints each event of a burst over sixteen connections once, in flat memory", async () => {
  const count = DEEP ? 10_000 : 150;
  const { child, ended, port } = await listen(["-o", "name"]);
  const ids = Array.from({ length: count }, (_, index) => `event-${index}`);
  const first = await burst(port, OLD, ids);
  const before = residentOf(child.pid);
  // All are repeats now: nothing of them is printed, or kept.
  const again = await burst(port, NEW, ids);
  const after = residentOf(child.pid);
  child.kill("SIGINT");
  const { exitCode, stdout, stderr } = await ended;
  expect([exitCode, first, again]).toEqual([0, { 200: count }, { 200: count }]);
  expect(stdout.trimEnd().split("\n").sort()).toEqual([...ids].sort());
  expect(stderr).toContain(
    `received ${count.toLocaleString("en-US")} events; ${count.toLocaleString("en-US")} repeats`,
  );
  expect(stderr.split("\n").length).toBeLessThan(50);
  expect(after - before).toBeLessThan(64 * 1_024);
  expect(after).toBeLessThan(256 * 1_024);
});

test("ends on Ctrl-C with a summary, also with senders in the middle of a request", async () => {
  const { child, ended, port } = await listen([]);
  const texts = ["POST / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"];
  const closed = texts.map(
    (text) =>
      new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(text));
        socket.on("error", () => {}).on("close", () => resolve());
        socket.resume();
      }),
  );
  expect(await burst(port, OLD, ["e1"])).toEqual({ 200: 1 });
  child.kill("SIGINT");
  const { exitCode, stderr } = await ended;
  await Promise.all(closed);
  expect(exitCode).toBe(0);
  expect(stderr).toContain("received 1 event; 0 repeats, 0 refused\n");
});

test("ends on Ctrl-C and closes a connection on which nothing was sent", async () => {
  const { child, ended, port } = await listen([]);
  const socket = connect(port, "127.0.0.1").resume();
  // The connection can be closed before the process has ended.
  const closed = once(socket, "close");
  await once(socket, "connect");
  child.kill("SIGINT");
  expect((await ended).exitCode).toBe(0);
  await closed;
});

test("ends quietly when the reader of its output has left", async () => {
  const { child, ended, port } = await listen(["-o", "name"]);
  child.stdout?.destroy();
  await burst(port, OLD, ["e1"]).catch(() => {});
  await burst(port, OLD, ["e2"]).catch(() => {});
  expect((await ended).exitCode).toBe(0);
});

test("exits with 2 if the port is in use, or if the file for the record cannot be written", async () => {
  const port = String(await listenInTest(createServer()));
  const taken = await relayctl(["webhooks", "listen", "--port", port]);
  expect(taken.exitCode).toBe(2);
  expect(taken.stderr).toContain(`--port ${port}: is in use by another program; 0 takes any free port`);
  const folder = newFolder();
  const unwritable = await relayctl(["webhooks", "listen", "--record", "."], { folder });
  expect([unwritable.exitCode, unwritable.stdout]).toEqual([2, ""]);
  expect(unwritable.stderr).toContain(".: cannot be written: it is a folder");
});

test("records deliveries in a private file, after those of an earlier run that was cut off", async () => {
  const { folder, child, ended, port } = await listen(["--record", "deliveries.ndjson"]);
  const path = join(folder, "deliveries.ndjson");
  await burst(port, OLD, ["e1"]);
  await burst(port, "x".repeat(32), ["refused"]);
  child.kill("SIGINT");
  await ended;
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const { deliveries } = readWebhookRecord(readFileSync(path, "utf8"));
  expect(deliveries.map(({ accepted, method, path: target }) => [accepted, method, target])).toEqual([
    [true, "POST", "/"],
    [false, "POST", "/"],
  ]);
  expect(JSON.parse(Buffer.from(deliveries[0]?.body ?? []).toString())).toMatchObject({ id: "e1" });
  writeFileSync(path, `{"received_at":"2026`, { flag: "a", mode: 0o644 });
  const later = await listen(["--record", "deliveries.ndjson"], folder);
  await burst(later.port, OLD, ["e2"]);
  later.child.kill("SIGINT");
  await later.ended;
  const { deliveries: all, damaged, isCut } = readWebhookRecord(readFileSync(path, "utf8"));
  expect([all.length, damaged.map(({ line }) => line), isCut]).toEqual([3, [3], false]);
});

test.each(chosen(["interface", "openzeppelin"], 1))(
  "receives what the embedded server sends while its key is rotated (%s)",
  async (dialect) => {
    const expected = ["status=confirmed", "delivery.key=1", "delivery.key=2"].flatMap((text) => ["--expect", text]);
    const { folder, ended, port } = await listen([...expected, "--deadline", "2m", "-o", "ndjson"]);
    const { env } = await serve(["--quiet", "--speed", "100x", "--dialect", dialect]);
    const run = async (line: string) => {
      const { exitCode, stderr } = await relayctl(line.split(" "), { folder, env });
      expect([line, exitCode, stderr]).toEqual([line, 0, expect.any(String)]);
    };
    const send =
      "tx send base-hot --to 0xde709f2102306220921060314715629080e2fb77 --gas-limit 21000 --speed fast --yes";
    await run(`notifications create --id here --url http://127.0.0.1:${port}/hook --signing-key-file old.key`);
    await run("relayers update base-hot --notification-id here --yes");
    await run(`${send} --value 1wei`);
    await run("notifications update here --signing-key-file new.key --yes");
    await run(`${send} --value 2wei`);
    const { exitCode, stdout, stderr } = await ended;
    expect(exitCode).toBe(0);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(new Set(events.map(({ delivery }) => delivery.signature))).toEqual(new Set(["valid"]));
    expect(stderr).toMatch(/ {2}key 2 {6}old\.key: \d+ deliver(?:y|ies), the last one/);
    expect(stderr).toContain(", 0 refused\n");
  },
);
