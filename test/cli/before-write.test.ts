import { allCommands } from "../../src/cli/all-commands.ts";
import { requestEffect, sendsRequest } from "../../src/cli/request-flags.ts";
import type { Transport } from "../../src/client/transport/transport.ts";
import type { Config } from "../../src/config/config.ts";
import { createClient } from "../../src/index.ts";
import { cli, ends, exited, printedError, type Ran, SERVER, TOKEN, type World } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { refusal, success } from "../helpers/service/reply.ts";
import { lost } from "../helpers/service/scripted-service.ts";
import { SURROUNDINGS } from "./example-surroundings.ts";
import { typed } from "./typed-examples.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const WRITES = [
  `tx send r1 --to ${TO} --value 1wei --speed fast --yes`,
  `tx replace r1 t1 --to ${TO} --value 1wei --speed fast --yes`,
  "tx cancel r1 t1 --yes",
  "tx cancel-pending r1 --yes",
  "relayers update r1 --policy min_balance=1eth",
  "relayers update r1 r2 --policy min_balance=1eth --yes",
  "relayers pause r1 --diff",
  "relayers pause --all --yes",
  "relayers resume --where paused --yes",
  "relayers delete r1 --yes",
  "notifications create --id n1 --url https://h.example",
  "notifications update n1 --url https://h.example --diff",
  "notifications delete n1 --yes",
  "signers delete s1 --yes",
  "networks update evm:base --rpc-url https://a.example --diff",
];
const FAILURES: readonly (readonly [string, Transport])[] = [
  [
    "a read without a response",
    async () => {
      throw lost("timeout");
    },
  ],
  ["a failed read", async () => refusal(500, "boom")],
  ["a refused read", async () => refusal(401, "Unauthorized")],
  ["a read with invalid JSON", async () => success("{")],
];

async function failed(line: string, service: Transport) {
  const ran = await cli(`${line} --retries 0 -o json`, { service });
  const error = printedError(ran.stderr);
  return { ...ran, error };
}

describe.each(FAILURES)("%s before a write reports that nothing was sent", (_, service) => {
  test.each(WRITES)("%s", async (line) => {
    const { error, writes } = await failed(line, service);
    expect(writes).toEqual([]);
    expect(error.applied).toBe("no");
    expect(error.message.match(/nothing was sent/g)).toHaveLength(1);
  });
});

test("the text error has the same line", async () => {
  const ran = await cli(`${WRITES[0]} --retries 0`, { service: async () => refusal(500, "boom") });
  expect(ran.stderr).toMatch(/^error: boom\n {2}nothing was sent\n {2}hint: /);
});

describe("the line is missing for reads and for sent writes", () => {
  test.each(["relayers get r1", "relayers list", "relayers rpc r1 eth_blockNumber", "api GET /relayers", "tx list r1"])(
    "%s",
    async (line) => {
      const { error } = await failed(line, async () => refusal(500, "boom"));
      expect(error.message).not.toContain("nothing was sent");
    },
  );

  test("including a write whose read-back fails", async () => {
    const { error } = await failed("relayers pause r1", async ({ method }) =>
      method === "PATCH" ? refusal(500, "boom") : refusal(401, "Unauthorized"),
    );
    expect(error).toMatchObject({ code: "unknown", applied: "unknown" });
    expect(error.message).not.toContain("nothing was sent");
  });
});

const COMMANDS = (await allCommands()).map(([path, file], turn) => [path, file, turn] as const);
const READ_ONLY = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_READONLY: "1" };

async function readOnly(line: string | readonly string[], world: World = {}): Promise<Ran> {
  return await cli(line, { ...world, env: { ...READ_ONLY, ...world.env } });
}

/** The requests that do more than ask; a node and a quote are asked by a POST too. */
function effective({ requests }: Ran): string[] {
  const asks = /\/(?:rpc|quote|build|fee-estimate|call)$|\/sponsored\//;
  return requests.flatMap(({ method, target }) =>
    method === "GET" || asks.test(target) ? [] : [`${method} ${target}`],
  );
}

describe.each(sampled(COMMANDS, 2))("%s in read-only mode", (path, file, turn) => {
  test.each(sampled(file.examples, 3, turn))("%s", async (example) => {
    const world = SURROUNDINGS[example] ?? SURROUNDINGS[path] ?? {};
    const { argv, input } = typed(example);
    const stdin = input === undefined ? {} : { stdin: world.files?.[input] ?? "" };
    const demo = sendsRequest(file.sends) ? ["--demo"] : [];
    const ran = await cli([...argv, ...demo], { ...stdin, ...world, env: { ...world.env, RELAYCTL_READONLY: "1" } });
    expect(effective(ran)).toEqual([]);
    const isShown = argv.some((word) => ["--dry-run", "-n", "--curl"].includes(word));
    const does = requestEffect(file);
    if (isShown || does === "read" || does === "local") expect(ran.exitCode, ran.stderr).toBe(0);
    else if (!file.mayOnlyAsk) {
      expect(ran).toMatchObject({ exitCode: 3, requests: [], questions: [], stdout: "" });
      expect(ran.stderr).toContain(`${path} is refused: read-only mode is on (RELAYCTL_READONLY)`);
      expect(ran.stderr).toContain("nothing was sent");
    }
  });
});

describe("read-only mode", () => {
  test("refuses before any question, also if arguments are missing", async () => {
    for (const line of ["relayers pause", "tx send", "notifications create -i", "relayers edit eth-main-1"])
      expect(await readOnly(line, { terminal: true })).toMatchObject({ exitCode: 3, requests: [], questions: [] });
  });

  test("cannot be overridden by consent or by --demo", async () => {
    expect(await readOnly("relayers delete eth-main-1 --yes")).toMatchObject({ exitCode: 3, requests: [] });
    expect(await readOnly("--demo relayers pause eth-main-1 --confirm eth-main-1")).toMatchObject({ exitCode: 3 });
  });

  test("refuses requests of api by what they do", async () => {
    for (const line of [
      "api PATCH /relayers/eth-main-1 -F paused=true --yes",
      "api POST /relayers/eth-main-1/sign -F message=x",
      "api DELETE /unknown --yes",
      "api POST /relayers/eth-main-1/rpc -F method=eth_sendRawTransaction -F params[]=0x00 --yes",
      "api GET /plugins/echo/call --yes",
    ]) {
      expect(await readOnly(line, { terminal: true })).toMatchObject({ exitCode: 3, writes: [], questions: [] });
    }
    expect(await readOnly("api GET /relayers")).toMatchObject({ exitCode: 0 });
    expect(await readOnly("api POST /relayers/eth-main-1/rpc -F method=eth_chainId -F params[]")).toMatchObject({
      exitCode: 0,
    });
  });

  test("asks a node, and refuses what sends", async () => {
    expect(await readOnly("relayers rpc eth-main-1 eth_blockNumber")).toMatchObject({ exitCode: 0 });
    await exited({ exitCode: 3, requests: [] }, readOnly("relayers rpc eth-main-1 eth_sendRawTransaction 0x00 --yes"));
  });

  test("examines, and fixes nothing", async () => {
    const examined = await readOnly("doctor --fail-on note", { terminal: true });
    expect([examined.exitCode, effective(examined)]).toEqual([13, []]);
    await exited({ exitCode: 3, requests: [], questions: [] }, readOnly("doctor --fix", { terminal: true }));
  });

  test("refuses signatures, which can spend", () =>
    exited({ exitCode: 3, requests: [] }, readOnly("relayers sign eth-main-1 --message hello")));

  test("leaves no line in the journal", async () => {
    const journal = memoryJournal();
    await readOnly("relayers pause eth-main-1", { journal });
    await readOnly("api PATCH /relayers/eth-main-1 -F paused=true --yes", { journal });
    expect(journal.entries).toEqual([]);
  });

  test("says so as JSON for scripts, not retryable", async () => {
    const { stderr } = await readOnly("relayers pause eth-main-1 -o json");
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "declined", exit_code: 3, applied: "no", retryable: false },
    });
  });

  test("is off if the variable is empty", async () =>
    expect(await readOnly("relayers pause eth-main-1", { env: { RELAYCTL_READONLY: "" } })).toMatchObject({
      exitCode: 0,
    }));

  test("is a setting of a context, whose name the refusal has", async () => {
    const config: Config = { version: 1, contexts: { prod: { server: SERVER, token: TOKEN, read_only: true } } };
    for (const line of ["relayers pause eth-main-1", "relayers delete eth-main-1 --yes", "api POST /signers -F a=b"]) {
      const ran = await ends({ exitCode: 3, requests: [], questions: [] }, `${line} -c prod`, { config });
      expect(ran.stderr).toContain("is refused: read-only mode is on (context prod)");
    }
    expect(await cli("relayers get eth-main-1 -c prod", { config })).toMatchObject({ exitCode: 0 });
    expect(await cli("relayers pause eth-main-1 -c prod --dry-run", { config })).toMatchObject({ exitCode: 0 });
  });

  test("is an option of the library, which refuses before it connects", async () => {
    const client = createClient({ server: "http://127.0.0.1:9", token: TOKEN, readOnly: true });
    await expect(client.relayers.update("r1", { paused: true })).rejects.toMatchObject({
      failure: "declined",
      applied: "no",
    });
    await expect(client.relayers.sign("r1", { message: "x" })).rejects.toMatchObject({ failure: "declined" });
    await expect(client.plugins.call("p1", {})).rejects.toMatchObject({ failure: "declined" });
  });
});
