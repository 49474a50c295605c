import type { Config } from "../../src/config/config.ts";
import { parseProject } from "../../src/config/project/open-project.ts";
import type { FoundProject } from "../../src/config/project/project.ts";
import { cli, ends, runHere, TOKEN, testApp, type World } from "../helpers/cli.ts";

const TREASURY = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const OTHER = "0x52908400098527886e0f7030069857d2e4169ee7";
const [EAST, WEST] = ["http://127.0.0.1:8081", "http://127.0.0.1:8082"];
const CONFIG: Config = {
  version: 1,
  current: "west",
  contexts: { east: { server: EAST, token: TOKEN }, west: { server: WEST, token: TOKEN } },
};
const PATH = "/fleet/.relayctl.json";

/** A world with a project file that is trusted unless the test says otherwise, and what was remembered. */
function projectWorld(text: string, world: World = {}, trust: FoundProject["trust"] = "trusted") {
  const seen = { finds: 0, remembered: 0, forgotten: 0 };
  const made: World = {
    env: {},
    config: CONFIG,
    projectFile: {
      async find() {
        seen.finds++;
        const remember = async () => void seen.remembered++;
        return { ...parseProject(PATH, text), trust, remember };
      },
      forget: async () => ({ path: PATH, wasTrusted: ++seen.forgotten > 0 }),
    },
    ...world,
  };
  return { world: made, seen };
}

const SELECTS = '{"context": "east"}';

describe("the context of a project file", () => {
  test.each<[string, Record<string, string>, string, string]>([
    ["", {}, EAST, PATH],
    ["--context west", {}, WEST, "--context"],
    ["-c west", {}, WEST, "--context"],
    ["", { RELAYCTL_CONTEXT: "west" }, WEST, "RELAYCTL_CONTEXT"],
    [`--server ${WEST}`, {}, WEST, "config.json"],
    ["", { RELAYCTL_SERVER: WEST }, WEST, "config.json"],
  ])("gives way to flags and variables: %s %o", async (flags, env, server, from) => {
    const { world } = projectWorld(SELECTS, { env });
    const { exitCode, stdout } = await cli(`context show -o json ${flags}`, world);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ server, context_from: from })]);
  });

  test("is not read if a server and a token are specified", async () => {
    const { world, seen } = projectWorld(SELECTS, { env: { RELAYCTL_SERVER: WEST, RELAYCTL_TOKEN: TOKEN } });
    expect((await cli("relayers list -o json", world)).exitCode).toBe(0);
    expect(seen.finds).toBe(0);
  });

  test("is not read with --demo", async () => {
    const { world, seen } = projectWorld('{"files": ["x.json"], "labels": {"evm": {"treasury": "0x12"}}}');
    const runs = ["relayers list", "plan", "tx send eth-main-1 --to @treasury --value 1 --speed fast --yes"];
    const codes = await Promise.all(runs.map(async (line) => (await cli(`--demo ${line}`, world)).exitCode));
    expect(codes).toEqual([0, expect.any(Number), 2]);
    expect(seen.finds).toBe(0);
  });

  test("stays protected", async () => {
    const config: Config = { ...CONFIG, contexts: { east: { server: EAST, token: TOKEN, protected: true } } };
    const { world } = projectWorld(SELECTS, { config: { version: 1, contexts: config.contexts } });
    await ends({ exitCode: 3, writes: [] }, "relayers update eth-main-1 --name new --yes", world);
    const agreed = await cli("relayers update eth-main-1 --name new --confirm east", world);
    expect([agreed.exitCode, agreed.writes.length]).toEqual([0, 1]);
  });

  test("is named with its file if it is not stored", async () => {
    const { world } = projectWorld('{"context": "north"}');
    const { exitCode, stderr, requests } = await cli("relayers list", world);
    expect([exitCode, requests]).toEqual([5, []]);
    expect(stderr).toContain('unknown context "north"');
    expect(stderr).toContain(`${PATH} selects it`);
  });
});

describe("a project file that is not trusted yet", () => {
  test.each<[FoundProject["trust"], string]>([
    ["new", "is not trusted yet"],
    ["changed", "changed since it was trusted"],
  ])("is not used without a terminal: %s", async (trust, why) => {
    const { world, seen } = projectWorld(SELECTS, {}, trust);
    const { exitCode, stdout, stderr } = await cli("context show -o json --yes", world);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ context: "west" })]);
    const note = `note: ${PATH} ${why}, and is not used; to use it, run relayctl context trust\n`;
    expect(stderr.split(note)).toHaveLength(2);
    expect(seen.remembered).toBe(0);
  });

  test("is shown and asked about on a terminal, and remembered", async () => {
    const text = `{"context": "east", "files": ["config.json"], "labels": {"evm": {"treasury": "${TREASURY}"}}}`;
    const { world, seen } = projectWorld(text, { terminal: true, stdoutTerminal: false, answers: [true] }, "new");
    const { exitCode, stdout, stderr, questions } = await cli("context show -o json --yes", world);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ context: "east" })]);
    expect(questions).toEqual(["Use this file, until it changes?"]);
    for (const line of ["context: east", "fleet file: config.json", `label: @treasury on evm, ${TREASURY}`])
      expect(stderr).toContain(`  ${line}\n`);
    expect(seen).toMatchObject({ finds: 1, remembered: 1 });
  });

  test("ends the command after a no", async () => {
    const { world, seen } = projectWorld(SELECTS, { terminal: true, answers: [false] }, "new");
    const { exitCode, requests, stderr } = await cli("relayers list", world);
    expect([exitCode, requests, seen.remembered]).toEqual([3, [], 0]);
    expect(stderr).toContain(`${PATH} is not trusted; nothing was sent`);
  });

  test("is trusted and forgotten by context trust", async () => {
    const { world, seen } = projectWorld(SELECTS, {}, "new");
    await ends({ exitCode: 0, stderr: `trusted ${PATH}, until it changes\n  context: east\n` }, "context trust", world);
    await ends({ exitCode: 0, stderr: `forgot ${PATH}\n` }, "context trust --forget", world);
    expect(seen).toMatchObject({ remembered: 1, forgotten: 1 });
    const without = await cli("context trust", { env: {}, config: CONFIG });
    expect([without.exitCode, without.stderr]).toEqual([5, expect.stringContaining("there is no .relayctl.json")]);
  });
});

describe("the labels of a project file", () => {
  const text = `{"labels": {"evm": {"treasury": "${TREASURY}"}}}`;
  const send = "tx send eth-main-1 --to @treasury --value 1 --speed fast --yes";
  const labels = (address: string, name = "treasury") => ({
    config: { ...CONFIG, labels: { evm: { [name]: address } } },
  });

  test.each([{}, labels(TREASURY), labels(TREASURY.toUpperCase().replace("0X", "0x")), labels(OTHER, "other")])(
    "resolve like labels of this machine: %j",
    async (world) => {
      const { exitCode, writes } = await cli(send, projectWorld(text, world).world);
      expect([exitCode, writes.map(({ body }) => JSON.parse(body ?? "").to.toLowerCase())]).toEqual([0, [TREASURY]]);
    },
  );

  test.each(["treasury", "TREASURY"])("are refused with both addresses if %s has another one", async (name) => {
    const { world } = projectWorld(text, labels(OTHER, name));
    const { exitCode, requests, stderr } = await cli(send, world);
    expect([exitCode, requests]).toEqual([2, []]);
    for (const words of [TREASURY, OTHER, PATH, "config.json"]) expect(stderr).toContain(words);
    const limit = await cli("context set east --allow-to @treasury", world);
    expect([limit.exitCode, limit.stderr]).toEqual([2, expect.stringContaining("has two addresses")]);
  });

  test("are shown next to their addresses if they have no other one", async () => {
    const shown = async (world: World, trust?: FoundProject["trust"]) => {
      const answers = trust === "new" ? [true, true] : [true];
      const made = projectWorld(text, { ...world, terminal: true, answers }, trust).world;
      return (await cli(`tx send eth-main-1 --to ${TREASURY} --value 1 --speed fast -c east`, made)).stderr;
    };
    expect(await shown(labels(OTHER, "vault"))).toContain(`@treasury`);
    expect(await shown(labels(OTHER))).not.toContain("@treasury");
  });
});

describe("the files of a project file", () => {
  const FLEET = { "/fleet/config.json": '{"notifications": []}' };
  const text = '{"files": ["config.json"]}';

  test.each(["plan", "drift", "apply --yes", "validate"])("stand for -f: %s", async (line) => {
    const files = { ...FLEET };
    const { world } = projectWorld(text, { files });
    const { stderr } = await cli(line, world);
    expect(stderr).toContain(`note: the files are /fleet/config.json, from ${PATH}\n`);
    expect(stderr).not.toContain("missing");
  });

  test.each(["plan -f x.json", "validate x.json", "export", "apply x.json", "relayers list"])(
    "are not used if others are specified: %s",
    async (line) => {
      const { stderr } = await cli(line, projectWorld(text, { files: { "x.json": "{}", ...FLEET } }).world);
      expect(stderr).not.toContain("/fleet/config.json");
    },
  );

  test("may not be links that leave the folder", async () => {
    const made = testApp(projectWorld(text, { files: FLEET }).world);
    Object.assign(made.app.files, { real: async (path: string) => path.replace("/fleet/config", "/etc/config") });
    const { exitCode, stderr } = await runHere(made, ["validate"]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${PATH} config.json: is a link to a file`)]);
  });

  test("are shown by context show, with the labels", async () => {
    const both = `{"files": ["config.json"], "labels": {"evm": {"treasury": "${TREASURY}"}}}`;
    const { stdout } = await cli("context show -o json", projectWorld(both).world);
    expect(JSON.parse(stdout)).toMatchObject({
      context_from: "config.json",
      project: {
        path: PATH,
        context: null,
        files: ["config.json"],
        labels: [{ name: "treasury", kind: "evm", address: TREASURY }],
      },
    });
    const table = await cli("context show", { ...projectWorld(both).world, terminal: true });
    expect(table.stdout).toMatch(new RegExp(`fleet file.* config.json +from ${PATH}`));
  });
});
