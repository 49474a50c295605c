import { open } from "node:fs/promises";
import { bash, namedPipe, relayctl, start } from "../../e2e/relayctl.ts";
import { serve } from "../../e2e/services/embedded.ts";
import { chosen } from "../../helpers/deep.ts";
import { CANARY_TOKEN } from "../../helpers/scan.ts";
import { ENDED_BY_SIGNAL, TIMEOUT } from "../../helpers/time-up.ts";

/** A machine on which looking a name up hangs until the process that does it is killed: the resolver opens this file first. */
function hangingNames() {
  const env = { HOSTALIASES: namedPipe(), RELAYCTL_SERVER: "https://hangs", RELAYCTL_TOKEN: CANARY_TOKEN };
  return { env };
}

async function outOfTime(words: readonly string[], more: Record<string, string> = {}) {
  const { env } = hangingNames();
  const { child, ended } = start([...words, "--retries", "0"], {
    env: { ...env, ...more, NODE_OPTIONS: ENDED_BY_SIGNAL },
  });
  // A pipe opens for writing once another process opens it to read.
  const pipe = await open(env.HOSTALIASES, "w");
  child.kill("SIGUSR2");
  return await ended.finally(() => pipe.close());
}

const READ = ["relayers", "list"];
const WRITE = ["relayers", "update", "r1", "--notification-id", "n1"];
const BULK = ["relayers", "update", "r1", "r2", "r3", "--notification-id", "n1", "--yes"];

describe("while a host name is resolved and no name server responds", () => {
  const bounded: readonly (readonly [string, readonly string[], string])[] = [
    ["a read", READ, "--timeout"],
    ["a write", WRITE, "--deadline"],
    ["a bulk write", BULK, "--deadline"],
  ];

  test.each(chosen(bounded, 1))("%s (%s) stops at its %s, and sends nothing", async (_, words, flag) => {
    const { exitCode, stderr } = await outOfTime([...words, flag, TIMEOUT]);
    expect([exitCode, stderr]).toEqual([10, expect.stringContaining("no complete response in time")]);
    expect(stderr).toContain("nothing was sent");
  });

  const signalled: readonly (readonly [string, readonly string[], NodeJS.Signals, number])[] = [
    ["a read", READ, "SIGINT", 130],
    ["a write", WRITE, "SIGINT", 130],
    ["a bulk write", BULK, "SIGINT", 130],
    ["a write", WRITE, "SIGHUP", 129],
  ];

  test.each(chosen(signalled, 2, 3))("%s (%s) stops at the first %s", async (_, words, signal, code) => {
    const { child, ended } = start([...words, "--verbose"], hangingNames());
    await new Promise((resolve) => child.stderr?.once("data", resolve));
    child.kill(signal);
    const { exitCode, stderr } = await ended;
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining("interrupted")]);
    expect(stderr).not.toContain("interrupt again to stop waiting");
  });

  test("the host name of a proxy does not block the end", async () => {
    const env = { RELAYCTL_SERVER: "https://192.0.2.1", RELAYCTL_PROXY: "http://hangs" };
    expect(await outOfTime([...READ, "--timeout", TIMEOUT], env)).toMatchObject({ exitCode: 10 });
  });
});

test("a host name that does not exist exits with 10", async () => {
  const env = { RELAYCTL_SERVER: "https://none.invalid", RELAYCTL_TOKEN: CANARY_TOKEN };
  const { exitCode, stderr } = await relayctl([...READ, "--retries", "0"], { env });
  expect([exitCode, stderr]).toEqual([10, expect.stringContaining("none.invalid: the host name cannot be resolved")]);
});

test("a host name in the hosts file is found", async () => {
  const { env } = await serve();
  const world = { env: { ...env, RELAYCTL_SERVER: env.RELAYCTL_SERVER.replace("127.0.0.1", "localhost") } };
  expect(await relayctl(["relayers", "list", "-o", "name"], world)).toMatchObject({ exitCode: 0, stderr: "" });
});

const PIPES: readonly (readonly [string, readonly string[]])[] = [
  ["-f", ["relayers", "update", "r1", "-f"]],
  ["--policies", ["relayers", "update", "r1", "--policies"]],
  ["--ca-file", ["relayers", "list", "--ca-file"]],
  ["--token-file", ["relayers", "list", "--token-file"]],
];

test.each(chosen(PIPES, 0))("a pipe for %s without a writer is left after Ctrl-C", async (_, words) => {
  const pipe = namedPipe();
  const env = { RELAYCTL_SERVER: "https://127.0.0.1:1" };
  const world = { env: words.includes("--token-file") ? env : { ...env, RELAYCTL_TOKEN: CANARY_TOKEN } };
  // Opened for writing once the program has opened it to read.
  const line = `relayctl ${words.join(" ")} '${pipe}' & exec 3> '${pipe}'; kill -INT $!; wait $!; echo $?`;
  expect(await bash(line, world)).toMatchObject({
    stdout: "130\n",
    stderr: "Interrupted. Nothing was applied.\n",
  });
});

test.each(chosen(["json", "ndjson"], 1))("output in %s without a reader is stopped by Ctrl-C", async (format) => {
  const { env } = await serve({ seed: "fleet:500" });
  const pipe = namedPipe();
  const line = `exec 3<> '${pipe}'; relayctl relayers list -o ${format} > '${pipe}' & head -c 1 <&3 > start; kill -INT $!; wait $!; echo $?`;
  expect(await bash(line, { env })).toMatchObject({
    stdout: "130\n",
    stderr: expect.stringContaining("interrupted"),
  });
});
