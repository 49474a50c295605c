import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { folderWithPayouts, paid, ROWS } from "./payouts-folder.ts";
import { ROOT, relayctl, spawnOptions } from "./relayctl.ts";
import { serve } from "./services/served.ts";

const TOTAL = (ROWS * (ROWS + 1)) / 2;

/** A program that pays the file with the built library, and prints the result or the failure. */
const PROGRAM = `
const { createClient } = require(${JSON.stringify(join(ROOT, "dist/index.js"))});
const client = createClient({ server: process.env.RELAYCTL_SERVER, token: process.env.RELAYCTL_TOKEN });
const options = { state: "runs", confirm: ${TOTAL}n, speed: "fast", maxInFlight: 2, resume: process.argv[2] === "resume" };
client.tx.sendMany("base-hot", { file: "payouts.csv" }, options).then(
  ({ run, rows, failure }) => console.log(run, rows.filter(({ state }) => state === "sent").length, failure?.failure),
  ({ failure }) => console.log(failure),
);`;

test("after kill -9 of a program, command and library resume its run, and no row is paid twice", async () => {
  const { env } = await serve(["--latency", "50ms"]);
  const folder = folderWithPayouts();
  writeFileSync(join(folder, "pay.cjs"), PROGRAM);
  const program = (...words: string[]) => {
    const child = execa(process.execPath, [join(folder, "pay.cjs"), ...words], {
      ...spawnOptions({ env, folder }),
      cwd: folder,
      reject: false,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  const first = program();
  while ((await paid(env)).length < 5);
  expect((await program("resume")).stdout).toBe("conflict\n");
  first.kill("SIGKILL");
  await first;
  expect((await program()).stdout).toBe("conflict\n");
  const line = ["tx", "send-many", "base-hot", "-f", join(folder, "payouts.csv"), "--speed", "fast", "--resume"];
  const flags = ["--state", join(folder, "runs"), "--confirm", String(TOTAL), "-o", "json"];
  const resumed = await relayctl([...line, ...flags], { env, folder });
  const states: { state: string }[] = JSON.parse(resumed.stdout);
  const sent = states.filter(({ state }) => state === "sent").length;
  // A killed process leaves the rows in flight, which its service may not have got.
  expect(sent).toBeGreaterThanOrEqual(ROWS - 2);
  const receivers = await paid(env);
  expect(new Set(receivers).size).toBe(receivers.length);
  expect(receivers.length).toBe(sent);
  const last = await program("resume");
  expect(last.stdout).toMatch(new RegExp(`^[0-9a-f-]{36} ${sent} ${sent === ROWS ? "undefined" : "unknown"}\n$`));
  expect(await paid(env)).toHaveLength(sent);
});
