import { readFileSync } from "node:fs";
import type { App } from "../../src/app.ts";
import { allCommands } from "../../src/cli/all-commands.ts";
import { TOPICS } from "../../src/cli/help/topics.ts";
import { sendsRequest } from "../../src/cli/request-flags.ts";
import type { Transport } from "../../src/client/transport/transport.ts";
import { RelayctlError } from "../../src/errors.ts";
import { ClosedPipe } from "../../src/terminal/streams/output.ts";
import { cli, exits, printedError, runHere, SERVER, says, TOKEN, testApp, type World } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { reply, success, wholeList } from "../helpers/service/reply.ts";
import { lost } from "../helpers/service/scripted-service.ts";
import { SURROUNDINGS } from "./example-surroundings.ts";
import { typed } from "./typed-examples.ts";

const CAP = "340282366920938463463374607431768211455";
const FULL = new RelayctlError("io", "stdout could not be written: ENOSPC");

describe("-o selects the format of a result", () => {
  test.each([
    ["relayers list -o name", "base-hot\neth-main-1\n"],
    [
      "relayers list",
      "base-hot\tBase hot\tbase\tevm\tfalse\tfalse\t\t0x8ba1f109551bd432803012645ac136ddd64dba72\tsigner-base\tops-hook",
    ],
    ["relayers list -o tsv --headers --fields id,paused", "id\tpaused\nbase-hot\tfalse\n"],
    ["relayers list -o csv --no-headers --fields id", "base-hot\r\n"],
    ["relayers list -o ndjson --fields id,paused", '{"id":"base-hot","paused":false}\n'],
    ["relayers list --json --query '[0].id'", '"base-hot"\n'],
    ["relayers list -o yaml --limit 1 --fields id", "- id: base-hot\n"],
    ["relayers list -o raw --page 1 --per-page 1", '{"success":true,"data":[{"id":"base-hot"'],
    ["relayers get polygon-bulk", "id\tpolygon-bulk\nname\tPolygon bulk\n"],
    ["relayers get polygon-bulk -o name", "polygon-bulk\n"],
    ["relayers get polygon-bulk --fields policies.gas_price_cap", `policies.gas_price_cap\t${CAP}\n`],
    ["relayers get polygon-bulk -o json --query policies.gas_price_cap", `${CAP}\n`],
    ["relayers pause eth-main-1 -o name", "eth-main-1\n"],
    ["relayers pause eth-main-1 -o json --fields id,paused", '{\n  "id": "eth-main-1",\n  "paused": true\n}\n'],
    ["relayers pause eth-main-1 -o raw", '{"success":true,"data":{"id":"eth-main-1"'],
  ])("%s", async (line, start) => {
    const ran = await exits(0, line);
    expect(ran.stdout.slice(0, start.length)).toBe(start);
  });

  const page = readFileSync("docs/reference/output.md", "utf8");
  const rows = [...page.matchAll(/^\| `relayctl (.+) -o tsv` \| (.+) \|$/gm)].map(([, line = "", columns = ""]) => [
    line,
    columns,
  ]);

  test.each(rows)("%s has the columns of the page of output", async (line, columns = "") => {
    const { stdout } = await cli(`${line} -o csv --yes`);
    expect(stdout.split("\r\n")[0]).toBe(columns.replaceAll(", ", ","));
  });

  test.each(["table", "json", "csv", "yaml"])("%s keeps every digit of a cap of 2^128-1", async (format) => {
    const ran = await cli(
      `relayers get polygon-bulk -o ${format === "csv" ? "csv --fields policies.gas_price_cap" : format}`,
    );
    expect(ran.stdout).toContain(CAP);
  });

  test("RELAYCTL_OUTPUT sets the default of -o", async () => {
    const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_OUTPUT: "name" };
    expect((await cli("relayers get eth-main-1", { env })).stdout).toBe("eth-main-1\n");
    expect((await cli("relayers get eth-main-1 -o tsv --fields id", { env })).stdout).toBe("eth-main-1\n");
    expect(await cli("relayers list", { env: { ...env, RELAYCTL_OUTPUT: "nmae" } })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("RELAYCTL_OUTPUT nmae: one of table, json,"),
      requests: [],
    });
    expect((await cli("relayers get eth-main-1 --fields id", { env: { ...env, RELAYCTL_OUTPUT: "" } })).stdout).toBe(
      "id\teth-main-1\n",
    );
  });

  test("a pipe gets the same bytes whatever the terminal of stderr", async () => {
    const piped = await cli("relayers list", { columns: 20 });
    expect((await cli("relayers list", { terminal: true, stdoutTerminal: false, columns: 200 })).stdout).toBe(
      piped.stdout,
    );
  });

  test("only a terminal gets color", async () => {
    const begin = "\u001b[";
    expect((await cli("relayers list", { terminal: true })).stdout).toContain(begin);
    expect((await cli("relayers list -o table")).stdout).not.toContain(begin);
    expect((await cli("relayers list --color never", { terminal: true })).stdout).not.toContain(begin);
  });
});

describe("a result that cannot be written", () => {
  test("exits with 74 after a read", async () =>
    expect(await cli("relayers list", { stdoutFault: FULL })).toMatchObject({
      exitCode: 74,
      stderr: "error: stdout could not be written: ENOSPC\n",
    }));

  test("is reported next to what a check found, in every form", async () => {
    for (const line of ["doctor", "doctor -o table", "doctor -o json"]) {
      const ran = await cli(line, { stdoutFault: FULL });
      expect([line, ran.exitCode]).toEqual([line, 13]);
      expect(ran.stderr).toContain("stdout could not be written: ENOSPC");
    }
  });

  test.each([
    "relayers pause eth-main-1",
    "notifications create --url https://h.example",
    "tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --value 1 --yes",
    "api PATCH /relayers/eth-main-1 -f pause.json",
  ])("is reported as applied after a write: %s", async (line) => {
    const world = { stdoutFault: FULL, files: { "pause.json": '{"paused":true}' } };
    const ran = await exits(74, line, world);
    expect(ran.writes).toHaveLength(1);
    expect(ran.stderr).toContain(
      "error: applied, but the result could not be written\n  stdout could not be written: ENOSPC\n",
    );
    const { error } = JSON.parse((await cli(`${line} -o json -q`, world)).stderr);
    expect(error).toMatchObject({ code: "io", exit_code: 74, applied: "yes" });
  });

  describe("exits with the failure of a partly failed bulk change", () => {
    const IO = new RelayctlError("io", "stdout could not be written: EIO");
    const relayer = (id: string, paused: boolean) => ({
      id,
      name: id,
      network: "mainnet",
      network_type: "evm",
      paused,
    });

    /** `a` is already paused, `b` is refused, the response for `c` is lost, and `d` is changed. */
    const service: Transport = async ({ method, target }) => {
      const id = /relayers\/([a-d])$/.exec(target)?.[1];
      if (method === "GET")
        return id ? success(relayer(id, false)) : wholeList(["a", "c"].map((of) => relayer(of, of === "a")));
      if (id === "b") return reply(400, '{"success":false,"data":null,"error":"no"}');
      if (id === "c") throw lost();
      return success(relayer(id ?? "", true));
    };

    test.each([
      ["a full disk", FULL],
      ["a closed terminal", IO],
    ])("on %s, with nothing known to be applied", async (_, fault) => {
      const ran = await exits(11, "relayers pause --all --yes -o json --retries 0", { service, stdoutFault: fault });
      const error = printedError(ran.stderr);
      expect(error).toMatchObject({ applied: "unknown", message: expect.stringContaining(fault.message) });
    });

    test("with stderr on a full disk", async () => {
      const world = { service, stderrFault: FULL };
      expect(await cli("relayers pause --all --yes -o json --retries 0", world)).toMatchObject({ exitCode: 11 });
    });

    test.each(["hung_up", "terminated", "interrupted"])("even after the signal %s", async (reason) => {
      const interrupt = new AbortController();
      const signalled: Transport = async (request, limits) => {
        if (request.method === "PATCH") interrupt.abort(reason);
        return await service(request, limits);
      };
      const ran = await cli("relayers pause --all --yes -o json --retries 0", {
        service: signalled,
        stdoutFault: IO,
        interrupt: interrupt.signal,
      });
      expect(printedError(ran.stderr)).toMatchObject({ applied: "unknown" });
      expect(ran.stderr).not.toContain("nothing was applied");
    });

    test("and lists each failure: one applied, one refused, one unknown", async () => {
      const ran = await exits(12, "relayers pause b c d --yes -o json --retries 0", { service, stdoutFault: FULL });
      const error = printedError(ran.stderr);
      expect(error.details.map(({ where }: { where: string }) => where)).toEqual(["b", "c"]);
      expect(error.applied).toBe("unknown");
    });
  });

  test("is not reported as applied if the value was already set", async () =>
    expect((await cli("relayers pause eth-main-2 --diff", { stdoutFault: FULL })).stderr).not.toContain(
      "applied, but",
    ));

  test.each(["relayers list", "relayers get eth-main-1", "relayers pause eth-main-1"])(
    "because its reader left is not an error: %s",
    async (line) => {
      const ran = await exits(0, line, { stdoutFault: new ClosedPipe() });
      expect(ran.stderr).not.toContain("error");
    },
  );
});

describe("a list", () => {
  test("is reported as empty on stderr", async () => {
    expect(await cli("relayers list --where network=nope")).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: `no relayers match network=nope in ${SERVER} (8 in all)\n`,
    });
    expect((await cli("relayers list --where network=nope -o json")).stdout).toBe("[]\n");
  });

  test("shows the number of items, and of relayers that need attention, on a terminal", async () => {
    expect((await cli("relayers list", { terminal: true, columns: 200 })).stderr).toBe(
      `8 relayers · ${SERVER} · 3 need attention: relayctl relayers status\n`,
    );
    expect((await cli("relayers list --where 'network=base'", { terminal: true, columns: 200 })).stderr).toBe(
      `1 of 8 relayers · ${SERVER}\n`,
    );
  });

  test("reads every page, but no more than a limit needs", async () => {
    expect((await cli("relayers list -o name --per-page 3")).requests.map(({ target }) => target)).toEqual([
      "/api/v1/relayers?page=1&per_page=3",
      "/api/v1/relayers?page=2&per_page=3",
      "/api/v1/relayers?page=3&per_page=3",
    ]);
    const limited = await cli("relayers list -o name --limit 2 --where '!system_disabled' --per-page 2");
    expect(limited.stdout.split("\n")).toHaveLength(3);
    expect(limited.requests).toHaveLength(1);
  });

  test("prints nothing after a failure, and reports the number of items read", async () => {
    let calls = 0;
    const page = '{"success":true,"data":[{"id":"a"}],"pagination":{"current_page":1,"per_page":1,"total_items":3}}';
    const service: Transport = async () => (calls++ === 0 ? reply(200, page) : reply(401, "no"));
    await says({ exitCode: 4, stdout: "" }, "relayers list --per-page 1", "1 of 3 were read", { service });
  });
});

const SERVICE = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };

/** Runs a line on a terminal of a few rows, with a pager that keeps what it is shown. */
async function paged(line: string, world: World = {}) {
  const shown: string[] = [];
  const pager: App["pager"] = async () => ({
    output: { write: async (text) => void shown.push(String(text)) },
    close: async () => undefined,
  });
  const ran = await cli(line, { terminal: true, rows: 4, pager, ...world });
  return { ...ran, shown: shown.join("") };
}

test.each(["relayers list", "relayers get eth-main-1", "relayers status", "relayers list --help", "help exit-codes"])(
  "a result that is longer than the screen goes to the pager: %s",
  async (line) => {
    const straight = await cli(line, { terminal: true, rows: 4 });
    const { exitCode, shown, stdout, stderr } = await paged(line);
    expect({ exitCode, shown, stdout }).toEqual({ exitCode: 0, shown: straight.stdout, stdout: "" });
    expect(stderr).toBe(straight.stderr);
  },
);

test.each<[string, string, World]>([
  ["data", "relayers list -o json", {}],
  ["tsv", "relayers list -o tsv", {}],
  ["a result that fits", "relayers list", { rows: 40 }],
  ["--no-pager", "relayers list --no-pager", {}],
  ["help with --no-pager", "relayers list --help --no-pager", {}],
  ["--no-input, which waits for no key", "relayers list --no-input", {}],
  ["help with --no-input", "relayers list --help --no-input", {}],
  ["CI", "relayers list", { env: { ...SERVICE, CI: "1" } }],
  ["a screen reader", "relayers list", { env: { ...SERVICE, RELAYCTL_ACCESSIBLE: "1" } }],
  ["a pipe", "relayers list -o table", { stdoutTerminal: false }],
  ["a write", "relayers pause eth-main-1 --yes -o table", {}],
  ["a script", "completion bash", {}],
])("no pager is opened for %s", async (_, line, world) => {
  const { shown, stdout, exitCode } = await paged(line, world);
  expect({ exitCode, shown }).toEqual({ exitCode: 0, shown: "" });
  expect(stdout).not.toBe("");
});

test("a configured pager that cannot be started is one warning, and the result is printed straight", async () => {
  const pager: App["pager"] = async () => ({ problem: "program not found" });
  const ran = await paged("relayers list", { pager, env: { ...SERVICE, PAGER: "mor" } });
  expect(ran.stdout).toContain("eth-main-1");
  expect(ran.stderr.match(/^warning: .*$/gm)).toEqual(["warning: the pager cannot be used: program not found"]);
  const usual = await paged("relayers list", { pager });
  expect(usual.stdout).toBe(ran.stdout);
  expect(usual.stderr).not.toContain("warning");
});

test.each(["relayers list", "relayers list --help"])("the pager of %s is closed once", async (line) => {
  let closed = 0;
  const pager: App["pager"] = async () => ({
    output: { write: async () => {} },
    close: async () => {
      closed++;
      return undefined;
    },
  });
  await cli(line, { terminal: true, rows: 4, pager });
  expect(closed).toBe(1);
});

test("a page of help that fills the screen to its last row is not paged, and one more row is", async () => {
  const { stdout } = await cli("relayers list --help", { terminal: true, rows: 1_000 });
  const rows = stdout.split("\n").length;
  expect((await paged("relayers list --help", { rows })).stdout).toBe(stdout);
  expect((await paged("relayers list --help", { rows: rows - 1 })).stdout).toBe("");
});

const ID = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const LINES = [
  "relayers list",
  "relayers get eth-main-1",
  "relayers status",
  "relayers balance eth-main-1",
  "tx list eth-main-1",
  `tx get eth-main-1 ${ID}`,
  "tx stuck",
  "networks list",
  "notifications list",
  "signers list",
  "plugins list",
  "doctor",
  "history",
  "context list",
  "find ops-hook",
  "plan",
  "relayers update eth-main-1 --name Ops",
  "relayers get nobody",
];
const FORMATS = ["json", "ndjson", "yaml", "csv", "tsv", "name", "raw", "prom"];
const CASES = LINES.flatMap((line) =>
  FORMATS.flatMap((format) => [`--color always`, ""].map((flag): [string] => [`${line} -o ${format} ${flag}`.trim()])),
);

test.each(sampled(CASES, 47))("%s into a pipe prints no escape in any color setting", async (line) => {
  const { stdout } = await cli(`${line} --demo`, { env: { FORCE_COLOR: "3", CLICOLOR_FORCE: "1" } });
  expect(stdout).not.toContain("\u001b");
});

test.each([
  ["relayers get nobody --demo --color always", {}, "\u001b[1merror:\u001b[22m"],
  ["relayers get nobody --demo", { FORCE_COLOR: "1" }, "\u001b[2m  hint:\u001b[22m"],
  [
    "relayers update eth-main-1 --policy gas_price_cap=120gwei --demo",
    { FORCE_COLOR: "1" },
    "\u001b[2mundo:\u001b[22m relayctl --demo",
  ],
])("%s colors the first words on stderr, even in a pipe", async (line, env, shown) => {
  const made = testApp({ env });
  await runHere(made, line.split(" "));
  expect(made.stderr.text()).toContain(shown);
  expect((await cli(`${line} -o json`, { env })).exitCode).toBeLessThan(6);
  const asJson = testApp({ env });
  await runHere(asJson, [...line.split(" "), "-o", "json"]);
  expect(asJson.stderr.text().trimEnd().split("\n").at(-1)).not.toMatch(/\u001b.*\{/);
});

test.each(["csv", "tsv", "name", "raw", "prom"])("-o %s also prints no escape on a terminal", async (format) => {
  for (const line of sampled(LINES, 2, format.length)) {
    const { stdout } = await cli(`${line} -o ${format} --color always --demo`, { terminal: true });
    if (format !== "raw") expect(stdout, line).not.toContain("\u001b");
  }
});

const COMMANDS = (await allCommands()).map(([path, file], turn) => [path, file, turn] as const);
const ASCII_TERMINAL = { terminal: true, columns: 80 };
const ASCII = /^[\r\n\t\u001b\x20-\x7e]*$/;

describe.each(sampled(COMMANDS, 4, 1))("with a locale of ASCII, %s", (path, file, turn) => {
  test.each([
    ["its examples", "--yes", sampled(file.examples, 3, turn)],
    ["its first example", "--no-input", file.examples.slice(0, 1)],
  ])("prints ASCII in %s with %s, also where they fail", async (_, flag, examples) => {
    for (const example of examples) {
      const world = SURROUNDINGS[example] ?? SURROUNDINGS[path] ?? {};
      const demo = sendsRequest(file.sends) ? ["--demo"] : [];
      const argv = [...typed(example).argv, ...demo, "--no-input", ...(flag === "--yes" ? [flag] : [])];
      const { stdout, stderr } = await cli(argv, { ...world, ...ASCII_TERMINAL, env: { ...world.env, LC_ALL: "C" } });
      expect(stdout + stderr, example).toMatch(ASCII);
    }
  });

  test("prints ASCII in its help", async () => {
    const { stdout } = await cli(`${path} --help`, { ...ASCII_TERMINAL, env: { LC_ALL: "C" } });
    expect(stdout).toMatch(ASCII);
  });
});

test.each(["", "--help", ...Object.keys(TOPICS).map((topic) => `help ${topic}`)])(
  "with a locale of ASCII, `relayctl %s` prints ASCII",
  async (line) => {
    const { stdout, stderr } = await cli(line, { ...ASCII_TERMINAL, env: { LC_ALL: "C" } });
    expect(stdout + stderr).toMatch(ASCII);
  },
);

test("data is the same in every locale", async () => {
  for (const format of ["json", "ndjson", "yaml", "csv", "tsv"]) {
    const line = `relayers list --demo -o ${format} --fields id,name`;
    const named = await dataIn(line, { LC_ALL: "C" });
    expect(named, format).toBe(await dataIn(line, { LC_ALL: "C.UTF-8" }));
    expect(named, format).toContain("A → B · …");
  }
});

async function dataIn(line: string, env: Record<string, string>): Promise<string> {
  const { memoryStore } = await import("../../src/embedded-server/state/store.ts");
  const { seedState } = await import("../helpers/seed-state.ts");
  const store = memoryStore(seedState("demo"));
  await cli(["relayers", "update", "base-hot", "--name", "A → B · …", "--demo"], { store, env: {} });
  return (await cli(line, { ...ASCII_TERMINAL, store, env })).stdout;
}
