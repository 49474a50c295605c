import type { App } from "../../../src/app.ts";
import { SERVER } from "../../helpers/test-app.ts";
import { type Fleet, watching } from "./watching.ts";

const START = Date.parse("2026-11-21T03:12:07Z");
const minted = (token: string, seconds: number) => ({
  stdout: JSON.stringify({ token, expires_at: new Date(START + seconds * 1_000).toISOString() }),
});
const FAILED = { stdout: "", problem: "it ended with status 1" };
const config = { version: 1 as const, current: "ci", contexts: { ci: { server: SERVER, token_command: ["mint"] } } };

const relayer = { id: "r1", name: "r1", network: "mainnet", network_type: "evm", paused: false, policies: {} };
const record = { id: "t1", relayer_id: "r1", status: "submitted", created_at: "2026-11-21T03:00:00Z", nonce: 1 };

test.each(["relayers list --watch 5s", "relayers status --watch 5s", "tx list r1 --watch 5s"])(
  "%s outlasts a token_command that fails for a while, says so, and shows what changed meanwhile",
  async (line) => {
    const fleet: Fleet = { relayers: [relayer], statuses: { r1: { paused: false } }, transactions: { r1: [record] } };
    const printed = [minted("token-one", 20), FAILED, FAILED, FAILED, minted("token-two", 100_000)];
    let runs = 0;
    const execute: App["execute"] = async () => printed[Math.min(runs++, printed.length - 1)] ?? FAILED;
    const watch = await watching(line, fleet, { env: {}, config, execute });
    await watch.pass(30);
    Object.assign(relayer, { paused: !relayer.paused });
    fleet.transactions.r1 = [{ ...record, status: "mined" }];
    for (let second = 0; second < 180 && runs < printed.length; second += 10) await watch.pass(10);
    await watch.pass(10);
    const tokens = watch.requests.map(({ headers }) => headers.authorization);
    const { exitCode, stdout, stderr } = await watch.end();
    expect({ exitCode, runs }, stderr).toEqual({ exitCode: 0, runs: printed.length });
    expect(stderr).toContain("the token_command of context ci failed: it ended with status 1");
    expect(tokens.at(-1)).toBe("Bearer token-two");
    expect(stdout.trimEnd().split("\n").at(-1)).toContain('"event":"changed"');
  },
);

test.each(["--token-file token", "--header @header"])("a watch reads %s again, and outlasts a gap", async (flag) => {
  const fleet: Fleet = { relayers: [relayer], statuses: { r1: { paused: false } }, transactions: {} };
  const files = { token: "token-one", header: "x-key: token-one" };
  const watch = await watching(`relayers list --watch 5s ${flag}`, fleet, { files });
  const sent = () => JSON.stringify(watch.requests.at(-1)?.headers);
  await watch.pass(30);
  expect(sent()).toContain("token-one");
  Object.assign(files, { token: "", header: "" });
  await watch.pass(30);
  expect(sent()).toContain("token-one");
  Object.assign(files, { token: "token-two", header: "x-key: token-two" });
  await watch.pass(30);
  expect(sent()).toContain("token-two");
  expect(await watch.end()).toMatchObject({ exitCode: 0 });
});

test("a watch runs no header_command again for a file of headers", async () => {
  const contexts = { ci: { server: SERVER, token: "token-one-of-two", header_command: ["headers"] } };
  let runs = 0;
  const execute: App["execute"] = async () => ({ stdout: JSON.stringify({ "x-run": `${++runs}` }) });
  const world = { env: {}, config: { ...config, contexts }, execute, files: { header: "x-key: one" } };
  const fleet: Fleet = { relayers: [relayer], statuses: { r1: { paused: false } }, transactions: {} };
  const watch = await watching("relayers list --watch 5s --header @header", fleet, world);
  await watch.pass(60);
  expect(await watch.end()).toMatchObject({ exitCode: 0 });
  expect(runs).toBe(1);
  expect(watch.requests.at(-1)?.headers).toMatchObject({ "x-run": "1", "x-key": "one" });
});
