import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFindAddresses } from "../../../src/client/transport/find-addresses.ts";
import { removeFolder } from "../../helpers/remove-folder.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { writeProgram } from "../../helpers/write-program.ts";

const never = new AbortController().signal;

/** A program in place of `getent`: a script of the shell, which writes a line for each of its runs. */
function resolver(script: string, more: { node?: string; env?: Record<string, string> } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-"));
  onTestFinished(() => removeFolder(folder));
  const [getent, runs] = [join(folder, "getent"), join(folder, "runs")];
  writeFileSync(runs, "");
  writeProgram(getent, `#!/bin/sh\necho "$*" >> '${runs}'\n${script}\n`);
  const clock = steppedClock();
  const { PATH = "" } = process.env;
  const programs = { env: { PATH, ...more.env }, getent, node: more.node ?? process.execPath };
  return {
    find: createFindAddresses(programs, clock),
    clock,
    runs: () => readFileSync(runs, "utf8").split("\n").slice(0, -1),
  };
}

const TWO = `printf '192.0.2.1       STREAM one\\n192.0.2.1       DGRAM\\n2001:db8::1     STREAM\\n'`;

test("returns the addresses that the program prints, once each and in order", async () => {
  const { find, runs } = resolver(TWO);
  expect(await find("-one.example", never)).toEqual(["192.0.2.1", "2001:db8::1"]);
  expect(runs()).toEqual(["ahosts -- -one.example"]);
});

test("resolves localhost without a lookup", async () => {
  const { find, runs } = resolver("exit 2");
  expect(await find("localhost", never)).toEqual(["127.0.0.1", "::1"]);
  expect(runs()).toEqual([]);
});

test("fails for a name without addresses, and looks the name up again next time", async () => {
  const { find, runs } = resolver("exit 2");
  for (const _ of [1, 2]) await expect(find("none.example", never)).rejects.toMatchObject({ code: "ENOTFOUND" });
  expect(runs()).toHaveLength(2);
});

test("remembers the addresses of a name for five seconds", async () => {
  const { find, clock, runs } = resolver(TWO);
  for (const name of ["one", "one", "two", "two"]) await find(name, never);
  expect(runs()).toHaveLength(2);
  await clock.pass(4_999);
  await find("two", never);
  expect(runs()).toHaveLength(2);
  await clock.pass(1);
  await find("two", never);
  expect(runs()).toHaveLength(3);
});

test("shares a lookup between simultaneous connections that have the same signal", async () => {
  const { find, runs } = resolver(TWO);
  const signal = new AbortController().signal;
  await Promise.all([find("one", signal), find("one", signal), find("one", signal)]);
  expect(runs()).toHaveLength(1);
  await Promise.all([find("two", signal), find("two", new AbortController().signal)]);
  expect(runs()).toHaveLength(3);
});

test("ends a hanging lookup when its signal is aborted", async () => {
  const { find } = resolver("exec sleep 60");
  const leave = new AbortController();
  const found = find("slow.example", leave.signal);
  leave.abort("timeout");
  await expect(found).rejects.toMatchObject({ code: "EAI_AGAIN" });
});

test("does not try another way after the terminal interrupted the program", async () => {
  const { find, runs } = resolver("kill -INT $$");
  await expect(find("one.example", never)).rejects.toMatchObject({ code: "EAI_AGAIN" });
  expect(runs()).toHaveLength(1);
});

test.each(["exit 1", "exit 127", "echo nonsense"])("falls back to Node if getent fails (%s)", async (script) => {
  const { find } = resolver(script);
  expect(await find("127.0.0.1", never)).toEqual(["127.0.0.1"]);
  await expect(find("name.invalid", never)).rejects.toMatchObject({ code: "ENOTFOUND" });
});

test("falls back to a lookup in this process if no process can be started", async () => {
  const { find } = resolver("exit 1", { node: "/nowhere/node" });
  expect(await find("127.0.0.1", never)).toEqual(["127.0.0.1"]);
});

test("hides the token and Node's options from the program", async () => {
  const { find } = resolver('[ -n "$RELAYCTL_TOKEN$NODE_OPTIONS" ] || printf "192.0.2.7 STREAM\\n"; exit 0', {
    env: { RELAYCTL_TOKEN: "a-token", NODE_OPTIONS: "--inspect" },
  });
  expect(await find("one.example", never)).toEqual(["192.0.2.7"]);
});
