import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { App } from "../../src/app.ts";
import { watching } from "../commands/watch/watching.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";
import { listenInTest } from "../helpers/service/listen.ts";
import { writeProgram } from "../helpers/write-program.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/reference/on-change.md"), "utf8");
const PROGRAMS = new Map(
  [...PAGE.matchAll(/`(notify-[a-z]+)\.sh`[^`]+(?:`[^`\n]+`[^`]+)*?```sh\n(#!\/bin\/sh\n.*?)```/gs)].map(
    ([, name = "", text = ""]) => [name, text],
  ),
);
const missing = ["jq", "curl"].filter((program) => spawnSync(program, ["--version"]).status !== 0);
const why = missing.length === 0 ? "" : ` (skipped: ${missing.join(" and ")} not found)`;

const HOSTILE = 'r1"\r\nBcc: all@example.org\n.\n<!channel> $(id) & \u001b[2J';

/** Returns what `--on-change` writes to its program when a relayer is disabled, active again, and removed. */
async function eventsOf(id: string): Promise<string[]> {
  const inputs: string[] = [];
  const execute: App["execute"] = async (_, { input = "" }) => {
    inputs.push(input);
    return { stdout: "", stderr: "" };
  };
  const fleet = { relayers: [{ id }] as { id: string; [field: string]: unknown }[], statuses: {}, transactions: {} };
  const watch = await watching("relayers status --watch 5s --brief --on-change notify", fleet, { execute });
  for (const relayers of [
    [{ id, system_disabled: true, disabled_reason: { type: "NonceSyncFailed", details: "x" } }],
    [{ id, system_disabled: false }],
    [],
  ]) {
    fleet.relayers = relayers;
    await watch.pass(6);
  }
  await watch.end();
  return inputs;
}

/** A receiver on loopback that accepts everything. */
async function fakeReceiver() {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      bodies.push(JSON.parse(text));
      response.end("ok");
    });
  });
  return { bodies, url: `http://127.0.0.1:${await listenInTest(server)}/` };
}

async function runProgram(name: string, events: readonly string[], env: Record<string, string>): Promise<void> {
  const folder = temporaryFolder();
  const path = join(folder, name);
  writeProgram(path, PROGRAMS.get(name) ?? "");
  const PATH = `${env.PATH ?? folder}:${process.env.PATH}`;
  for (const event of events)
    await new Promise<void>((resolve, reject) => {
      const ran = execFile(path, { env: { ...env, PATH } }, (error) => (error ? reject(error) : resolve()));
      ran.stdin?.end(event);
    });
}

test("each program has ten lines at most", () => {
  expect([...PROGRAMS.keys()]).toEqual(
    ["slack", "pagerduty", "ntfy", "mail", "desktop"].map((name) => `notify-${name}`),
  );
  for (const [name, text] of PROGRAMS) expect([name, text.trimEnd().split("\n").length <= 10]).toEqual([name, true]);
});

describe.skipIf(missing.length > 0)(`a program for --on-change${why}`, () => {
  test("posts to Slack, in which no name has a meaning", async () => {
    const { bodies, url } = await fakeReceiver();
    await runProgram("notify-slack", [...(await eventsOf("eth-main-1")), ...(await eventsOf(HOSTILE)).slice(0, 1)], {
      SLACK_WEBHOOK: url,
    });
    const named = HOSTILE.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    expect(bodies).toEqual([
      { text: "eth-main-1 is disabled" },
      { text: "eth-main-1 is active" },
      { text: "eth-main-1 was removed" },
      { text: `${named} is disabled` },
    ]);
  });

  test("opens and resolves an incident of PagerDuty for each relayer and rule", async () => {
    const { bodies, url } = await fakeReceiver();
    await runProgram("notify-pagerduty", await eventsOf("eth-main-1"), { PAGERDUTY_KEY: "key", PAGERDUTY_URL: url });
    const seen = (bodies as { dedup_key: string; event_action: string }[]).map((body) => [
      body.dedup_key,
      body.event_action,
    ]);
    expect(seen).toEqual([
      ["eth-main-1/stopped", "trigger"],
      ["eth-main-1/paused", "resolve"],
      ["eth-main-1/stopped", "resolve"],
      ["eth-main-1/paused", "resolve"],
      ["eth-main-1/stopped", "resolve"],
      ["eth-main-1/paused", "resolve"],
    ]);
    expect(bodies[0]).toEqual({
      routing_key: "key",
      dedup_key: "eth-main-1/stopped",
      event_action: "trigger",
      payload: {
        summary: "eth-main-1 is disabled",
        source: "relayctl",
        timestamp: expect.stringMatching(/^2026-.*Z$/),
        severity: "critical",
      },
    });
  });

  test("publishes to ntfy", async () => {
    const { bodies, url } = await fakeReceiver();
    await runProgram("notify-ntfy", (await eventsOf(HOSTILE)).slice(0, 1), { NTFY_TOPIC: "relayers", NTFY_URL: url });
    expect(bodies).toEqual([{ topic: "relayers", title: "relayctl", message: `${HOSTILE} is disabled`, priority: 5 }]);
  });

  test("mails with sendmail, and no name adds a header", async () => {
    const folder = temporaryFolder();
    const sendmail = join(folder, "sendmail");
    writeProgram(sendmail, `#!/bin/sh\n{ printf '%s\\n' "$*"; cat; } > ${folder}/mail\n`);
    await runProgram("notify-mail", (await eventsOf(HOSTILE)).slice(0, 1), {
      MAIL_TO: "ops@example.org",
      SENDMAIL: sendmail,
    });
    const [head = "", body = ""] = readFileSync(join(folder, "mail"), "utf8").split("\n\n");
    expect(head.split("\n")).toEqual([
      "-i -t",
      "To: ops@example.org",
      "Subject: A relayer changed",
      "Content-Type: text/plain; charset=utf-8",
    ]);
    expect(body.trimEnd()).toMatch(/^2026-\S+Z "r1\\"\\r\\nBcc: .*": changed, disabled, \[.*\]$/);
  });

  test("shows a notification of the desktop", async () => {
    const folder = temporaryFolder();
    writeProgram(join(folder, "notify-send"), `#!/bin/sh\nprintf '%s|' "$@" > ${folder}/shown\n`);
    await runProgram("notify-desktop", (await eventsOf("--help")).slice(0, 1), { PATH: folder });
    expect(readFileSync(join(folder, "shown"), "utf8")).toBe(
      "--app-name|relayctl|--expire-time|60000|--|relayctl|--help is disabled|",
    );
  });
});
