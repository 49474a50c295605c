// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are for a shell to expand
import { stripVTControlCharacters } from "node:util";
import { runArgv } from "../../src/cli/run.ts";
import { repeatedCommand, withoutConsent, withoutFlag } from "../../src/command-support/repeated-command.ts";
import { commandLine } from "../../src/shell/shell-words.ts";
import type { Output } from "../../src/terminal/streams/output.ts";
import { cli, SERVER, TOKEN, testApp, type World } from "../helpers/cli.ts";
import { argvUnder, argvUnderSh } from "../helpers/shell.ts";

const KEY = "a-signing-key-of-more-than-32-characters";
const FILES = {
  key: `${KEY}\n`,
  "body.json": '{"name":"x","custom_rpc_urls":[{"url":"https://rpc.example.org/v2/KEY"}]}',
};
const TX = "tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const ODD = 'it\'s "q" $HOME `id` \\ \n \t %s 😀 {a,b} * ; & !';

const WRITES: readonly (readonly string[])[] = [
  ["relayers", "update", "eth-main-1", "--paused"],
  ["relayers", "update", "eth-main-1", "--name", ODD],
  ["relayers", "update", "eth-main-1", "--policy", "gas_price_cap=1gwei", "--network-type", "evm"],
  [
    "relayers",
    "update",
    "eth-main-1",
    "--rpc-url",
    "https://rpc.example.org/v2/KEY,weight=3",
    "--rpc-url",
    "https://a.example",
  ],
  ["relayers", "update", "eth-main-1", "-f", "body.json"],
  ["relayers", "resume", "eth-main-2"],
  [...TX.split(" "), "--to", TO, "--value", "340282366920938463463374607431768211455", "--speed", "fast", "--yes"],
  [
    "notifications",
    "create",
    "--url",
    "https://hooks.example.org/${SIGNING_KEY:?}",
    "--id",
    "n1",
    "--signing-key-file",
    "key",
  ],
  ["notifications", "update", "ops-hook", "--signing-key-file", "key"],
  ["notifications", "update", "ops-hook", "--remove-signing-key", "--yes"],
  ["api", "PATCH", "/relayers/eth-main-1", "-f", "body.json"],
];

/** With the variables set as the user would set them. */
const VARIABLES = { RELAYCTL_TOKEN: TOKEN, SIGNING_KEY: KEY, RPC_URL_1: "https://rpc.example.org/v2/KEY" };

describe("--curl", () => {
  test.each(WRITES.map((line) => [line.join(" "), line] as const))("equals the request: %s", async (_, line) => {
    const world: World = { files: FILES };
    const shown = await cli([...line, "--curl"], world);
    expect({ exitCode: shown.exitCode, requests: shown.requests.length }).toEqual({ exitCode: 0, requests: 0 });
    const sent = (await cli(line, world)).writes[0];
    expect(argvUnderSh("curl", shown.stdout, VARIABLES)).toEqual([
      "-X",
      sent?.method,
      SERVER + sent?.target,
      "-H",
      `Authorization: Bearer ${TOKEN}`,
      "-H",
      "Content-Type: application/json",
      "--data-raw",
      sent?.body,
    ]);
  });

  test.each([["RELAYCTL_TOKEN"], ["SIGNING_KEY"]])("fails in the shell if %s is not set", async (name) => {
    const { stdout } = await cli("notifications update ops-hook --signing-key-file key --curl", { files: FILES });
    const { [name]: _, ...others } = VARIABLES as Record<string, string>;
    expect(() => argvUnderSh("curl", stdout, others)).toThrow(name);
  });

  const NAMES = ['it"s', 'a\\\\b\\"', "two\nlines\n", "a\r\nb\n\n", "tab\tand 'quotes'", "$HOME `id` \\\\n"];
  test.each(NAMES)("passes on a signing key that JSON escapes: %j", async (odd) => {
    const key = `${odd} of more than thirty-two characters ${odd}`;
    const line = "notifications update ops-hook --signing-key-file key --yes";
    const world: World = { files: { key: `${key}\n` } };
    const sent = (await cli(line, world)).writes[0];
    const { stdout } = await cli(`${line} --curl`, world);
    expect(argvUnderSh("curl", stdout, { ...VARIABLES, SIGNING_KEY: key }).at(-1)).toBe(sent?.body);
    expect(() => argvUnderSh("curl", stdout, { RELAYCTL_TOKEN: TOKEN })).toThrow("SIGNING_KEY");
  });

  test("rejects a signing key with a control character", async () => {
    const files = { key: "a key of more than thirty-two characters \u001b[0m" };
    const ran = await cli("notifications update ops-hook --signing-key-file key --curl", { files });
    expect(ran).toMatchObject({ exitCode: 2, stdout: "", requests: [] });
    expect(ran.stderr).toContain("--curl: cannot show the secret SIGNING_KEY, which contains a control character");
  });

  test("has no body for a read", async () => {
    const { stdout } = await cli("relayers get 'a b' --curl");
    expect(argvUnderSh("curl", stdout, VARIABLES)).toEqual([
      "-X",
      "GET",
      `${SERVER}/api/v1/relayers/a%20b`,
      "-H",
      `Authorization: Bearer ${TOKEN}`,
    ]);
  });

  test("cannot be combined with --dry-run", async () =>
    expect((await cli("relayers list --curl --dry-run")).exitCode).toBe(2));
});

describe("--dry-run", () => {
  test.each(WRITES.map((line) => [line.join(" "), line] as const))("sends and reads nothing: %s", async (_, line) => {
    const ran = await cli([...line, "--dry-run"], { files: FILES, terminal: true });
    expect({ exitCode: ran.exitCode, requests: ran.requests.length, questions: ran.questions.length }).toEqual({
      exitCode: 0,
      requests: 0,
      questions: 0,
    });
    expect(ran.stderr.replace(/note: services up to v1\.8 reject this .*\n$/, "")).toBe(
      `dry run: nothing was sent to ${SERVER}\n`,
    );
    expect(ran.stdout).not.toMatch(/v2\/KEY|a-signing-key-of/);
  });

  test("prints the request with shell variables for its secrets", async () => {
    const { stdout } = await cli("notifications create --id n1 --url https://h.example --signing-key-file key -n", {
      files: FILES,
    });
    expect(stdout).toBe(
      [
        "POST /api/v1/notifications",
        "authorization: Bearer ${RELAYCTL_TOKEN:?}",
        "content-type: application/json",
        "",
        '{"url":"https://h.example","id":"n1","signing_key":"${SIGNING_KEY:?}"}',
        "",
      ].join("\n"),
    );
  });

  test("numbers the RPC URLs with more than a host", async () => {
    const { stdout } = await cli(
      "relayers update r1 --rpc-url https://a.example --rpc-url https://b.example/KEY --rpc-url https://u:p@c.example -n",
    );
    expect(stdout.split("\n")[4]).toBe(
      '{"custom_rpc_urls":[{"url":"https://a.example"},{"url":"${RPC_URL_2:?}"},{"url":"${RPC_URL_3:?}"}]}',
    );
  });

  test.each([
    ['{"rpc_urls":["https://a.example/KEY"]}', '{"rpc_urls":["${RPC_URL_1:?}"]}'],
    ['{"rpc_urls":[{"url":"https://a.example/KEY","weight":5}]}', '{"rpc_urls":[{"url":"${RPC_URL_1:?}","weight":5}]}'],
    ['{"custom_rpc_urls":["https://u:KEY@a.example"]}', '{"custom_rpc_urls":["${RPC_URL_1:?}"]}'],
  ])("shows the RPC URLs of any request as variables, including a network's: %s", async (body, shown) => {
    const { stdout } = await cli("api PATCH /networks/evm:x -f - -n", { stdin: body });
    expect(stdout.split("\n")[4]).toBe(shown);
    expect(stdout).not.toContain("KEY");
  });

  test("needs no token", async () =>
    expect((await cli("relayers pause r1 -n", { env: { RELAYCTL_SERVER: SERVER } })).exitCode).toBe(0));

  test("shows the context", async () => {
    const config = {
      version: 1 as const,
      current: "prod",
      contexts: { prod: { server: "https://relayer.example.org" } },
    };
    expect((await cli("relayers pause r1 -n", { env: {}, config })).stderr).toBe(
      "dry run: nothing was sent to https://relayer.example.org (prod)\n",
    );
  });

  test.each([
    ["relayers list", "/api/v1/relayers?page=1&per_page=1000"],
    ["relayers list --limit 3", "/api/v1/relayers?page=1&per_page=3"],
    ["relayers list --limit 3 --sort id", "/api/v1/relayers?page=1&per_page=1000"],
    ["relayers list --page 2", "/api/v1/relayers?page=2"],
    ["relayers list --page 2 --limit 1", "/api/v1/relayers?page=2"],
    ["relayers list --per-page 0", "/api/v1/relayers?per_page=0"],
    ["relayers list --page 2 --per-page 5", "/api/v1/relayers?page=2&per_page=5"],
    ["api GET '/relayers?page=2'", "/api/v1/relayers?page=2"],
  ])("shows the first request of %s", async (line, target) => {
    expect((await cli(`${line} -n`)).stdout.split("\n")[0]).toBe(`GET ${target}`);
    expect((await cli(line)).requests[0]?.target).toBe(target);
  });

  test("accepts policies of an unknown network type if the types agree", async () => {
    const body = async (line: string) => (await cli(`relayers update r1 ${line} -n`)).stdout.split("\n")[4];
    expect(await body("--policy gas_price_cap=80gwei")).toBe('{"policies":{"gas_price_cap":80000000000}}');
    expect(await body("--policy min_balance=5")).toBe('{"policies":{"min_balance":5}}');
    expect(await body("--policy min_balance=0.1xlm")).toBe('{"policies":{"min_balance":1000000}}');
  });

  test("shows a generated ID in a creation", async () => {
    const { stdout } = await cli("notifications create --url https://h.example -n");
    expect(stdout).toContain('{"url":"https://h.example","id":"00000000-0000-4000-8000-000000000001"}');
  });
});

describe("the dry run of several requests", () => {
  const PAYOUTS = { "pay.csv": `to,value\n${TO},0.01eth\n0x8617e340b3d01fa5f11f306f4090fd50e238070d,0.02eth\n` };

  test.each<[string, RegExp]>([
    ["relayers pause base-hot eth-main-1", /PATCH .*\}\n\ndry run: nothing was sent to [^\n]+\n$/s],
    ["tx send-many base-hot -f pay.csv --speed fast", /POST .*\}\n\n.* sum +0\.03 ETH\n.*\ndry run: [^\n]+\n$/s],
  ])("ends on a terminal with what they do together: %s", async (line, screen) => {
    const { app } = testApp({ terminal: true, files: PAYOUTS });
    const shown: unknown[] = [];
    const output = (each: Output): Output =>
      Object.create(each, { write: { value: async (text: unknown) => void shown.push(text) } });
    const world = Object.create(app, {
      stdout: { value: output(app.stdout) },
      stderr: { value: output(app.stderr) },
    });
    expect(await runArgv(world, [...line.split(" "), "--dry-run"])).toBe(0);
    expect(stripVTControlCharacters(shown.join(""))).toMatch(screen);
  });
});

describe("the repeated command", () => {
  const ODD = ["it's", '"q" $HOME `id`', "a\nb", "", "-", "--x=y z", "😀", "\\", "!"];

  test("keeps its arguments in a shell", () => {
    expect(argvUnder("/bin/bash", "relayctl", commandLine(...ODD))).toEqual(ODD);
    expect(argvUnder("/bin/bash", "relayctl", repeatedCommand(["relayers", ...ODD], ["--yes"]))).toEqual([
      "relayers",
      ...ODD,
      "--yes",
    ]);
  });

  test("has a new flag before --", () =>
    expect(repeatedCommand(["relayers", "get", "--", "-id"], ["--yes"])).toBe("relayctl relayers get --yes -- -id"));

  test("has each flag once", () => {
    expect(repeatedCommand(["x", "--confirm", "a", "y", "--confirm=b"], ["--confirm", "c"])).toBe(
      "relayctl x y --confirm c",
    );
    expect(repeatedCommand(["x", "--verbose"], ["--verbose"])).toBe("relayctl x --verbose");
  });

  test("omits earlier confirmations", () => {
    const argv = ["x", "-y", "--yes", "-qyv", "--confirm", "a", "--confirm=b", "-oyaml", "--", "-y"];
    expect(withoutConsent(argv)).toEqual(["x", "-qv", "-oyaml", "--", "-y"]);
    expect(withoutConsent(["api", "-f", "-", "-yy"])).toEqual(["api", "-f", "-"]);
  });

  test("omits a flag with its values", () =>
    expect(withoutFlag(["x", "--row", "2", "--row=3", "y"], "--row", true)).toEqual(["x", "y"]));

  test("has shell variables for secrets in URLs", () => {
    const argv = [
      "u",
      "--rpc-url",
      "https://a.example/KEY,weight=5",
      "--rpc-url=https://b.example/KEY",
      "--rpc-url",
      "https://c.example",
    ];
    const text = repeatedCommand([...argv, "--proxy", "http://u:p@proxy:1"], ["--yes"]);
    expect(text).toBe(
      'relayctl u --rpc-url "${RPC_URL_1:?}",weight=5 --rpc-url="${RPC_URL_2:?}" --rpc-url https://c.example --proxy "${PROXY:?}" --yes',
    );
    const variables = {
      RPC_URL_1: "https://a.example/KEY",
      RPC_URL_2: "https://b.example/KEY",
      PROXY: "http://u:p@proxy:1",
    };
    expect(argvUnderSh("relayctl", text, variables)).toEqual([...argv, "--proxy", "http://u:p@proxy:1", "--yes"]);
  });
});
