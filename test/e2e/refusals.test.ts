import { expect, test } from "vitest";
import { closedPort } from "../helpers/service/closed-port.ts";
import { relayctl } from "./relayctl.ts";

const SERVICE = { RELAYCTL_SERVER: "http://127.0.0.1:9", RELAYCTL_TOKEN: "token-of-nobody-0123456789" };

test.each([
  ["an unknown flag", ["relayers", "list", "--colour"], /^error: unknown option '--colour'/],
  ["an unknown command", ["relayes", "list"], /^error: unknown command 'relayes'/],
  ["an unknown verb", ["relayers", "lst"], /^error: unknown command 'lst'/],
  ["a missing ID", ["relayers", "get"], /^error: missing required argument 'ids'/],
  ["a timeout without a unit", ["relayers", "list", "--timeout", "30"], /^error: --timeout 30: /],
  ["a token in argv", ["relayers", "list", "--token", "secret-secret-secret"], /^error: --token: /],
])("%s exits with 2 and prints only to stderr", async (_, args, message) => {
  const { exitCode, stdout, stderr } = await relayctl(args, { env: SERVICE });
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain("secret");
});

test.each(["RELAYCTL_SERVER", "RELAYCTL_TOKEN"])(
  "an empty %s exits with 2, and the error contains the variable",
  async (name) => {
    const { exitCode, stdout, stderr } = await relayctl(["relayers", "list"], { env: { ...SERVICE, [name]: "" } });
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(name);
  },
);

test("a replacement without a terminal exits with 3 and the command to send it", async () => {
  const args = ["--demo", "tx", "replace", "eth-main-1", "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50", "--value", "1"];
  const { exitCode, stdout, stderr } = await relayctl(args);
  expect([exitCode, stdout]).toEqual([3, ""]);
  expect(stderr).toContain(`hint: relayctl ${args.join(" ")} --yes\n`);
});

test("a refused connection exits with 10 and a machine-readable error that nothing was applied", async () => {
  const env = { ...SERVICE, RELAYCTL_SERVER: `http://127.0.0.1:${await closedPort()}` };
  const args = ["relayers", "pause", "eth-main-1", "--retries", "0", "-o", "json"];
  const { exitCode, stdout, stderr } = await relayctl(args, { env });
  expect([exitCode, stdout]).toEqual([10, ""]);
  const { error } = JSON.parse(stderr);
  expect(error).toMatchObject({ code: "network", exit_code: 10, applied: "no", retryable: true });
});
