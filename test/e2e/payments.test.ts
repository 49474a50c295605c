import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exited, printedError } from "../helpers/exited.ts";
import { folderWithPayouts, paid, ROWS } from "./payouts-folder.ts";
import { relayctl, start } from "./relayctl.ts";
import { serve } from "./services/embedded.ts";
import { holdingPayments } from "./services/holding-payments.ts";

test("after kill -9 in the middle of a run, --resume pays the rest at once, and no row twice", async () => {
  const service = await serve({ latency: 50 });
  const { env } = service;
  const folder = folderWithPayouts();
  const line = ["tx", "send-many", "base-hot", "-f", join(folder, "payouts.csv"), "--speed", "fast"];
  const flags = ["--state", join(folder, "runs"), "--confirm", String((ROWS * (ROWS + 1)) / 2), "--concurrency", "2"];
  const first = start([...line, ...flags], { env, folder });
  while ((await paid(service)).length < 5);
  await exited({ exitCode: 6, stdout: "" }, relayctl([...line, ...flags, "--resume"], { env, folder }));
  first.child.kill("SIGKILL");
  await first.ended;
  const resumed = await relayctl([...line, ...flags, "--resume", "-o", "json"], { env, folder });
  const states: { row: number; state: string; to: string }[] = JSON.parse(resumed.stdout);
  const unknown = states.filter(({ state }) => state === "unknown");
  // A killed process leaves the rows in flight, which its service may not have got.
  expect(unknown.length).toBeLessThanOrEqual(2);
  expect(resumed.exitCode).toBe(unknown.length > 0 ? 11 : 0);
  const receivers = await paid(service);
  expect(new Set(receivers).size).toBe(receivers.length);
  const sent = states.filter(({ state }) => state === "sent").map(({ to }) => to);
  expect([...receivers].sort()).toEqual(sent.sort());
  expect(sent.length + unknown.length).toBe(ROWS);
  writeFileSync(join(folder, "payouts.csv"), readFileSync(join(folder, "payouts.csv"), "utf8").replace(",1,", ",2,"));
  await exited(unknown.length > 0 ? 2 : 3, relayctl([...line, ...flags, "--resume"], { env, folder }));
});

test("a run whose folder is removed stops, and does not advise to resume it, which would pay all rows again", async () => {
  const { env, paid: applied, holdAfter, holds, release } = await holdingPayments();
  const folder = folderWithPayouts();
  const line = ["tx", "send-many", "base-hot", "-f", join(folder, "payouts.csv"), "--speed", "fast"];
  const flags = ["--state", "runs", "--confirm", String((ROWS * (ROWS + 1)) / 2), "--concurrency", "2", "-o", "json"];
  holdAfter(4);
  const { ended } = start([...line, ...flags], { env, folder });
  await holds(2);
  rmSync(join(folder, "runs"), { recursive: true });
  release();
  const { exitCode, stdout, stderr } = await ended;
  expect(exitCode).toBe(12);
  expect(applied).toHaveLength(6);
  expect(JSON.parse(stdout).filter(({ state }: { state: string }) => state === "sent")).toHaveLength(6);
  const error = printedError(stderr);
  expect(error).toMatchObject({ applied: "yes", hint: null });
  expect(error.message).toContain(
    "another process has taken over this run, or its journal was removed or cannot be read",
  );
  expect(error.message).toContain("--resume would pay all rows again");
});
