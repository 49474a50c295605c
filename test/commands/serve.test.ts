import { resolve } from "node:path";
import type { App, ServeOptions } from "../../src/app.ts";
import { parseLineExactly } from "../../src/cli/parsing/parse-line.ts";
import type { CommonFlags } from "../../src/command-support/common-flags.ts";
import { createEnteredLine } from "../../src/command-support/prompting/prompts.ts";
import { CommandSyntax } from "../../src/commands/command.ts";
import { type ServeFlags, serve } from "../../src/commands/serve.ts";
import { type Message, messageText } from "../../src/message.ts";
import { says } from "../helpers/cli.ts";
import { seedState } from "../helpers/seed-state.ts";

const UUID = "4b1f0c2f-57d0-4c2e-9d43-0a1b2c3d4e5f";
const MADE = "demo-4b1f0c2f57d04c2e9d430a1b2c3d4e5f";

interface World {
  files?: Record<string, string>;
  stdin?: string;
  common?: CommonFlags;
  othersMay?: App["othersMay"];
}

/** Runs `serve` in a world whose server gets port 49213 and serves two requests. */
async function served(argv: readonly string[], world: World = {}) {
  const { files = {}, stdin = "", common = {}, othersMay = () => undefined } = world;
  const seen = {
    options: undefined as ServeOptions | undefined,
    stdout: "",
    revealed: "",
    said: [] as string[],
    secrets: [] as string[],
  };
  const bytes = (text: string) => new TextEncoder().encode(text);
  const app = {
    clock: { now: () => Date.UTC(2026, 7, 20, 14, 2, 11), elapsed: () => 0, sleep: async () => {} },
    random: { uuid: () => UUID, fraction: () => 0 },
    stdin: { isTerminal: false, read: async () => bytes(stdin) },
    env: {},
    othersMay,
    network: async () => () => Promise.reject(new Error("not asked here")),
    interrupt: new AbortController().signal,
    files: {
      read: async (path: string) => bytes(files[path] ?? ""),
      load: async (path: string) => files[path],
    },
    secrets: {
      add: (secret: string) => seen.secrets.push(secret),
      redact: (text: string) => text,
      mayBeIn: () => false,
    },
    stdout: {
      write: async (text: string) => {
        seen.stdout += text;
      },
      reveal: async (text: string) => {
        seen.stdout += text;
        seen.revealed += text;
      },
    },
    async serve(options: ServeOptions) {
      seen.options = options;
      await options.listening(49213);
      await options.served({
        method: "GET",
        target: "/api/v1/relayers?page=1&per_page=100",
        status: 200,
        milliseconds: 1.4,
      });
      await options.served({ method: "PATCH", target: "/api/v1/relayers/eth-main-1", status: 429, milliseconds: 0.2 });
      await options.delivered({ notification: "ops-hook", event: "transaction_update", attempt: 1 });
      await options.delivered({ notification: "ops-hook", event: "transaction_update", attempt: 2, status: 204 });
    },
  } as unknown as App;
  const command = new CommandSyntax("serve");
  command.args = [];
  serve.define?.(command);
  const call = {
    app,
    common,
    args: [],
    output: {},
    argv,
    flags: parseLineExactly(command, argv)?.valuesOf(command) as ServeFlags,
    inContext: () => {
      throw new Error("one context");
    },
    session: () => Promise.reject(new Error("serve asks no service")),
    say: async (line: Message) => {
      seen.said.push(messageText(line));
    },
    count: () => {},
    idle: () => {},
    perform: async () => 0,
    entered: createEnteredLine(argv),
  };
  const view = await serve.run(call);
  return { ...seen, view };
}

test("serves the demo seed on any free port until it ends, and prints no result", async () => {
  const { options, view } = await served([]);
  expect(options).toMatchObject({ port: 0, seed: "demo", speed: 1, latency: 0, failures: [], token: MADE });
  expect(options).not.toHaveProperty("stateFile");
  expect(options).not.toHaveProperty("rateLimit");
  expect(view).toEqual({ kind: "nothing" });
});

test("prints two lines for a shell, and reports requests on stderr", async () => {
  const { stdout, revealed, said, secrets } = await served([]);
  expect(stdout).toBe(`export RELAYCTL_SERVER=http://127.0.0.1:49213\nexport RELAYCTL_TOKEN=${MADE}\n`);
  expect(revealed).toBe(`export RELAYCTL_TOKEN=${MADE}\n`);
  expect(secrets).toEqual([MADE]);
  expect(said).toEqual([
    "relayer service for testing, in memory, on this machine only; press Ctrl-C to stop",
    "14:02:11Z GET   /api/v1/relayers?page=1&per_page=100      200  1 ms",
    "14:02:11Z PATCH /api/v1/relayers/eth-main-1               429  0 ms",
    "14:02:11Z webhook ops-hook: transaction_update, attempt 1: no response",
    "14:02:11Z webhook ops-hook: transaction_update, attempt 2: 204",
  ]);
});

test("passes its flags to the server", async () => {
  const { options, said } = await served([
    ...[
      "--port",
      "8080",
      "--seed",
      "fleet:1000000",
      "--state",
      "my.json",
      "--speed",
      "10x",
      "--latency",
      "20ms",
      "--rate-limit",
      "200/s:300",
    ],
    ...["--fail", "PUT:/api/v1/relayers/*=500:0.3", "--fail", "*:*=429", "--fail", "*:*=close:0.1"],
    ...["--fail", "POST:*=lost", "--fail", "POST:*=late:0.5"],
  ]);
  expect(options).toMatchObject({
    port: 8080,
    seed: "fleet:1000000",
    stateFile: "my.json",
    speed: 10,
    latency: 20,
    rateLimit: { perSecond: 200, burst: 300 },
    failures: [
      { method: "PUT", path: "/api/v1/relayers/*", status: 500, rate: 0.3 },
      { method: "*", path: "*", status: 429, rate: 1 },
      { method: "*", path: "*", status: "close", rate: 0.1 },
      { method: "POST", path: "*", status: "lost", rate: 1 },
      { method: "POST", path: "*", status: "late", rate: 0.5 },
    ],
  });
  expect(said[0]).toBe("relayer service for testing, kept in my.json, on this machine only; press Ctrl-C to stop");
});

test.each([
  ["WORKER:*=dead", { method: "WORKER", path: "*", status: "dead", rate: 1 }],
  ["WORKER:submit=two-nonces", { method: "WORKER", path: "submit", status: "two-nonces", rate: 1 }],
  ["NODE:eth_call=-32000:0.5", { method: "NODE", path: "eth_call", status: -32_000, rate: 0.5 }],
  ["NODE:eth_sendRawTransaction=lost", { method: "NODE", path: "eth_sendRawTransaction", status: "lost", rate: 1 }],
])("breaks workers and nodes with --fail %s", async (rule, failure) => {
  expect((await served(["--fail", rule])).options?.failures).toEqual([failure]);
});

test.each([
  ["simulate", [["eth_simulateV1", -32_601]]],
  [
    "trace,override",
    [
      ["debug_traceCall", -32_601],
      ["eth_call with override", -32_602],
    ],
  ],
  [
    "call",
    [
      ["eth_call", -32_601],
      ["eth_estimateGas", -32_601],
    ],
  ],
])("removes ways to simulate from nodes with --node-lacks %s", async (names, methods) => {
  const failures = methods.map(([path, status]) => ({ method: "NODE", path, status, rate: 1 }));
  expect((await served(["--node-lacks", names])).options?.failures).toEqual(failures);
});

test("uses the interface dialect by default", async () => {
  expect((await served([])).options?.dialect).toBe("interface");
  expect((await served(["--dialect", "openzeppelin"])).options?.dialect).toBe("openzeppelin");
});

test("sets the burst to one second's requests by default", async () =>
  expect((await served(["--rate-limit", "50/s"])).options?.rateLimit).toEqual({ perSecond: 50, burst: 50 }));

test("uses a given token, and prints only its path, which works in any folder", async () => {
  const { options, stdout, revealed, said } = await served([], {
    files: { "my token": "their-own-token\n" },
    common: { tokenFile: "my token" },
  });
  expect(options?.token).toBe("their-own-token");
  const path = resolve("my token");
  expect(stdout).toBe(`export RELAYCTL_SERVER=http://127.0.0.1:49213\nexport RELAYCTL_TOKEN_FILE='${path}'\n`);
  expect(revealed + said.join()).not.toContain("their-own-token");
});

test("prints no line for a token from stdin", async () => {
  const { options, stdout, said } = await served([], { stdin: "their-own-token\n", common: { tokenFile: "-" } });
  expect(options?.token).toBe("their-own-token");
  expect(stdout).toBe("export RELAYCTL_SERVER=http://127.0.0.1:49213\n");
  expect(said[1]).toBe("the token was read from stdin");
});

test.each([
  ["", "--token-file t: the file is empty"],
  ["two words", "--token-file t: contains a space, a control character, or a non-ASCII character"],
  ["a\nb", "--token-file t: contains several lines"],
])("rejects a token file with %j", async (content, message) => {
  const refused = served([], { files: { t: content }, common: { tokenFile: "t" } });
  await expect(refused).rejects.toMatchObject({ failure: "usage", message });
});

const PORT = "a whole number from 0 to 65535; 0 takes any free port";
const LACKS = "one or more of simulate, trace, override, call, separated by commas";
const SEED = "one of demo, empty, or fleet:N with N from 1 to 9999999";
const SPEED = "a whole number from 1 to 100 with x, e.g. 10x";
const RATE = "needs requests per second and an optional burst, e.g. 200/s or 200/s:300";
const FAIL =
  "needs METHOD:PATH-GLOB=STATUS[:RATE] with a status from 400 to 599, busy, close, refuse, lost or late, and a rate from 0 to 1, e.g. PUT:/api/v1/relayers/*=500:0.3; or WORKER:NAME=dead with prepare, submit, status or *; or WORKER:submit=two-nonces; or NODE:METHOD=CODE[:RATE], e.g. NODE:eth_call=3, or NODE:eth_sendRawTransaction=lost[:RATE]";

test.each([
  ["--port", "-1", PORT],
  ["--port", "65536", PORT],
  ["--port", "http", PORT],
  ["--port", "80.5", PORT],
  ["--port", "", PORT],
  ["--seed", "fleet", SEED],
  ["--seed", "fleet:0", SEED],
  ["--seed", "fleet:10000000", SEED],
  ["--seed", "prod", SEED],
  ["--state", "", "needs a file name"],
  ["--state", "-", "needs a file name"],
  ["--speed", "10", SPEED],
  ["--speed", "0x", SPEED],
  ["--speed", "101x", SPEED],
  ["--speed", "1.5x", SPEED],
  ["--latency", "20", "needs a unit, e.g. 30s"],
  ["--rate-limit", "200", RATE],
  ["--rate-limit", "0/s", RATE],
  ["--rate-limit", "200/m", RATE],
  ["--rate-limit", "200/s:0", RATE],
  ["--fail", "PUT", FAIL],
  ["--fail", "put:/a=500", FAIL],
  ["--fail", "PUT:a=500", FAIL],
  ["--fail", "PUT:/a=200", FAIL],
  ["--fail", "PUT:/a=600", FAIL],
  ["--fail", "PUT:/a=closed", FAIL],
  ["--fail", "PUT:/a=500:1.1", FAIL],
  ["--fail", "PUT:/a=500:", FAIL],
  ["--fail", "WORKER:*=500", FAIL],
  ["--fail", "WORKER:cook=dead", FAIL],
  ["--fail", "WORKER:status=two-nonces", FAIL],
  ["--fail", "NODE:eth_call=dead", FAIL],
  ["--fail", "NODE:eth_call=lost", FAIL],
  ["--node-lacks", "", LACKS],
  ["--node-lacks", "simulate,", LACKS],
  ["--node-lacks", "eth_call", LACKS],
  ["--node-lacks", "constructor", LACKS],
])("rejects %s %j", async (flag, given, rule) => {
  await expect(served([`${flag}=${given}`])).rejects.toMatchObject({
    failure: "usage",
    details: [{ where: flag, given, rule }],
    hint: "relayctl serve --help",
  });
});

test("reports all invalid flags at once", async () => {
  const refused = served([
    "--port=x",
    "--seed=x",
    "--speed=x",
    "--latency=x",
    "--rate-limit=x",
    "--fail=x",
    "--fail=y",
  ]);
  const where = ["--port", "--seed", "--speed", "--latency", "--rate-limit", "--fail", "--fail"];
  await expect(refused).rejects.toMatchObject({
    message: "7 problems, nothing was sent",
    details: where.map((flag) => ({ where: flag })),
  });
});

test.each(["--server https://relayer.example.org", "--context prod"])("rejects %s: it is the server itself", (flag) =>
  says({ exitCode: 2, requests: [] }, `serve ${flag}`, `error: ${flag.split(" ")[0]}: not supported`),
);

test("accepts the largest fleet that the server has", () =>
  expect(seedState("fleet:9999999").relayers.size()).toBe(9_999_999));

test.each([
  ["--node http://127.0.0.1:8545", "--node http://127.0.0.1:8545: needs evm= and the http or https URL of a node"],
  ["--node evm=https://rpc.example.org", "--node: is not on this machine; --allow-remote-node allows it"],
  ["--node evm=https://rpc.example.org --allow-remote-node", "--key-file: is needed with --allow-remote-node"],
  ["--node evm=http://127.0.0.1:1 --seed demo", "--seed: is for simulated chains"],
  ["--node evm=http://127.0.0.1:1 --node-lacks trace", "--node-lacks: is for simulated chains"],
  ["--node evm=http://127.0.0.1:1 --max-value 1pol", "--max-value 1pol: "],
  ["--key-file key", "--key-file: has an effect only with --node"],
  ["--allow-remote-node", "--allow-remote-node: has an effect only with --node"],
])("rejects serve %s", (flags, words) => says({ exitCode: 2, requests: [], stdout: "" }, `serve ${flags}`, words));

test("keeps the key of a real chain in the file that is named, and never shows it", async () => {
  const key = `0x${"22".repeat(32)}`;
  const seen = await served(["--node=evm=http://127.0.0.1:1", "--key-file=key"], { files: { key: `${key}\n` } });
  expect(await seen.options?.chain?.keyFile?.load()).toBe(key);
  expect(seen.secrets).toContain(key);
  expect(seen.stdout + seen.said.join("")).not.toContain(key.slice(2));
});

/** The order of secp256k1, above which no key is. */
const ORDER = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

test.each(["secret", `0x${"11".repeat(31)}`, `0x${"00".repeat(32)}`, `0x${ORDER}`, `0x${"ff".repeat(32)}`])(
  "refuses a key file with %j, and leaves it as it is",
  async (text) => {
    const files = { key: text };
    const broken = await served(["--node=evm=http://127.0.0.1:1", "--key-file=key"], { files });
    await expect(broken.options?.chain?.keyFile?.load()).rejects.toMatchObject({
      details: [
        { where: "--key-file", rule: "does not contain a private key: 64 hex digits after 0x, not 0 or too large" },
      ],
    });
    expect(files).toEqual({ key: text });
  },
);

test("warns of a key file that others can read", async () => {
  const files = { key: `0x${ORDER.replace(/1$/, "0")}` };
  const open = await served(["--node=evm=http://127.0.0.1:1", "--key-file=key"], { files, othersMay: () => "read" });
  expect(await open.options?.chain?.keyFile?.load()).toBe(files.key);
  expect(open.said.join("\n")).toContain("warning: other users can read key: chmod 600 key");
});
