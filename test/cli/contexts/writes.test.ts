import type { Transport } from "../../../src/client/transport/transport.ts";
import { cancelError, RelayctlError } from "../../../src/errors.ts";
import { cli, ends, exits, printedError, TOKEN, type World } from "../../helpers/cli.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { configOf, down, fleetOf, worldOf } from "./world.ts";

const two = (more: World = {}) => worldOf({ eu: fleetOf("a", "b"), us: fleetOf("b", "c", "d") }, more);
const writesOf = (requests: readonly string[]) => requests.filter((request) => !request.includes(" GET "));
const stateOf = async (world: World) =>
  (await cli("relayers list -c eu,us --where paused -o tsv --fields context,id", world)).stdout
    .trimEnd()
    .split("\n")
    .sort();

describe.each([
  ["pause", "paused"],
  ["freeze", "freeze.state"],
])("relayers %s in several contexts", (verb) => {
  test("asks for the number of relayers over all, and pauses them", async () => {
    const { world, requests } = two({ terminal: true, answers: ["5"] });
    const ran = await exits(0, `relayers ${verb} --all -c eu,us --color never`, world);
    expect(ran.questions).toEqual([
      `${verb === "pause" ? "Pause" : "Freeze"} 5 relayers in eu, us? Type "5" to confirm:`,
    ]);
    expect(writesOf(requests)).toHaveLength(5);
    expect(await stateOf({ ...world, terminal: false })).toEqual(["eu\ta", "eu\tb", "us\tb", "us\tc", "us\td"]);
    for (const name of ["eu", "us"]) {
      expect(ran.stderr).toContain(`in ${name}`);
      expect(ran.stderr).toMatch(new RegExp(`undo +relayctl -c ${name} undo `));
    }
  });

  test("takes the number by --confirm without a terminal, and sends nothing with another", async () => {
    for (const wrong of ["", "--yes", "--confirm 4", "--confirm eu", "--confirm 5,eu", "--confirm '4 relayers'"]) {
      const { world, requests } = two();
      const ran = await cli(`relayers ${verb} --all -c eu,us ${wrong}`, world);
      expect({ wrong, exitCode: ran.exitCode, stdout: ran.stdout, writes: writesOf(requests) }).toEqual({
        ...{ wrong, exitCode: 3, stdout: "", writes: [] },
      });
      expect(ran.stderr).toContain(`relayctl relayers ${verb} --all -c eu,us --confirm 5`);
    }
    for (const right of ["5", "'5 relayers'"]) {
      const { world, requests } = two();
      const ran = await exits(0, `relayers ${verb} --all -c eu,us --confirm ${right}`, world);
      expect(writesOf(requests)).toHaveLength(5);
      expect(
        ran.stdout
          .trimEnd()
          .split("\n")
          .map((row) => row.split("\t").at(-1)),
      ).toEqual(["eu", "eu", "us", "us", "us"]);
    }
  });

  test("sends nothing after a wrong number at the prompt, or none", async () => {
    for (const answer of ["4", "", "y", "yes"]) {
      const { world, requests } = two({ terminal: true, answers: [answer] });
      const ran = await cli(`relayers ${verb} --all -c eu,us`, world);
      expect({ exitCode: ran.exitCode, writes: writesOf(requests) }).toEqual({ exitCode: 3, writes: [] });
      const words = answer === "" ? "Canceled" : `"${answer}" does not match "5"`;
      expect(ran.stderr).toContain(`${words}. Nothing was sent.`);
    }
  });

  test("sends nothing after Ctrl-C at the prompt, and ends as one context does", async () => {
    const ctrlC = cancelError("interrupted");
    const { world, requests } = two({ terminal: true, answers: [ctrlC] });
    const ran = await cli(`relayers ${verb} --all -c eu,us`, world);
    expect({ exitCode: ran.exitCode, writes: writesOf(requests) }).toEqual({ exitCode: 130, writes: [] });
    expect(ran.stderr.trimEnd().split("\n").at(-1)).toBe("Canceled. Nothing was sent.");
  });

  test("asks for the name of each protected context too", async () => {
    const config = configOf(["eu", "us"], { us: { protected: true } });
    const typed = two({ terminal: true, answers: ["5", "us"], config });
    const ran = await exits(0, `relayers ${verb} --all -c eu,us`, typed.world);
    expect(ran.questions[1]).toBe('Context us is protected. Type "us" to confirm:');
    const refused = two({ terminal: true, answers: ["5", "eu"], config });
    expect(await cli(`relayers ${verb} --all -c eu,us`, refused.world)).toMatchObject({ exitCode: 3 });
    expect(writesOf(refused.requests)).toEqual([]);
    for (const [words, exitCode] of [
      ["5", 3],
      ["us", 3],
      ["5,eu", 3],
      ["5,us,us", 3],
      ["5,us", 0],
    ] as const) {
      const { world, requests } = two({ config });
      const piped = await cli(`relayers ${verb} --all -c eu,us --confirm ${words}`, world);
      expect({ words, exitCode: piped.exitCode, writes: writesOf(requests).length }).toEqual({
        ...{ words, exitCode, writes: exitCode === 0 ? 5 : 0 },
      });
      if (exitCode === 3) expect(piped.stderr).toContain("--confirm 5,us");
    }
  });

  test("counts a relayer that both contexts have twice", async () => {
    const { world, requests } = two();
    await exits(0, `relayers ${verb} b -c eu,us --confirm 2`, world);
    expect(writesOf(requests).sort()).toEqual(["eu PATCH /api/v1/relayers/b", "us PATCH /api/v1/relayers/b"]);
  });

  test("leaves out a context that cannot be read, shows it before the question, and ends with 12", async () => {
    const { world, requests } = worldOf({ eu: fleetOf("a", "b"), us: down }, { terminal: true, answers: ["2"] });
    const ran = await exits(12, `relayers ${verb} --all -c eu,us --retries 0`, world);
    expect(ran.questions).toEqual([expect.stringContaining('2 relayers in eu? Type "2" to confirm:')]);
    expect(ran.stderr).toContain("us could not be read, and stays as it is: connection refused");
    expect(ran.stderr).toContain("us: connection refused");
    expect(writesOf(requests)).toHaveLength(2);
  });

  test("pauses the others if one context fails in the middle, and shows what is known of it", async () => {
    const lost: Transport = async (request, ...limits) => {
      if (request.method === "GET") return await other(request, ...limits);
      throw new RelayctlError("unknown", "the connection was reset after the request was sent", { applied: "unknown" });
    };
    const other = fleetOf("c");
    const { world } = worldOf({ eu: fleetOf("a"), us: lost });
    const ran = await exits(12, `relayers ${verb} --all -c us,eu --confirm 2 -o json --retries 0`, world);
    expect(
      JSON.parse(ran.stdout).map(({ id, context }: { id: string; context: string }) => `${context} ${id}`),
    ).toContain("eu a");
    const error = printedError(ran.stderr);
    expect(error).toMatchObject({ code: "partial", applied: "unknown", details: [{ where: "us", given: "unknown" }] });
  });

  test("asks nothing if all relayers are paused already", async () => {
    const { world, requests } = two();
    await cli(`relayers ${verb} --all -c eu,us --confirm 5`, world);
    const before = requests.length;
    await exits(0, `relayers ${verb} --all -c eu,us`, world);
    expect(writesOf(requests.slice(before))).toEqual([]);
  });

  test("records each write in the journal with its context", async () => {
    const journal = memoryJournal();
    const { world } = two({ journal });
    await cli(`relayers ${verb} --all -c eu,us --confirm 5`, world);
    const intents = journal.entries.filter((entry) => entry.type === "intent");
    expect(intents.map((entry) => `${entry.context} ${entry.server}`).sort()).toEqual([
      ...Array.from({ length: 2 }, () => "eu https://eu.example.org"),
      ...Array.from({ length: 3 }, () => "us https://us.example.org"),
    ]);
    const { stdout } = await cli("history -c eu,us -o tsv --fields context", world);
    expect(stdout.trimEnd().split("\n")).toHaveLength(5);
    await ends({ stdout: "us\nus\nus\n" }, "history -c us -o tsv --fields context", world);
  });

  test("stops at Ctrl-C in all contexts: shows which changes were sent, and which were not", async () => {
    const interrupt = new AbortController();
    const stopping: Transport = async (request, ...limits) => {
      const response = await fleet(request, ...limits);
      if (request.method === "PATCH") interrupt.abort("interrupted");
      return response;
    };
    const fleet = fleetOf("a", "b", "c");
    const { world, requests } = worldOf({ eu: stopping, us: fleetOf("d") }, { interrupt: interrupt.signal });
    const ran = await exits(130, `relayers ${verb} --all -c eu,us --confirm 4 --concurrency 1`, world);
    expect(writesOf(requests).filter((request) => request.startsWith("eu"))).toHaveLength(1);
    expect(ran.stderr).toContain("not started");
    expect(ran.stderr).toMatch(/undo: relayctl -c eu relayers .*a/);
  });

  test("shows the requests of each context in a dry run, and sends none", async () => {
    const { world, requests } = two();
    const ran = await exits(0, `relayers ${verb} --all -c eu,us --dry-run`, world);
    expect(ran.stdout).toMatch(/^# eu\nPATCH [\s\S]*# us\nPATCH /);
    expect(writesOf(requests)).toEqual([]);
  });

  test("refuses what works with one context only", async () => {
    for (const flags of [
      "--undo-file undo.txt",
      "--curl",
      "--server https://x.example.org",
      "--token-file t",
      "--demo",
      "--where context=eu",
    ]) {
      const { world, requests } = two();
      const ran = await cli(
        `relayers ${verb} ${flags.startsWith("--where") ? "" : "--all"} -c eu,us --confirm 5 ${flags}`,
        world,
      );
      expect({ flags, exitCode: ran.exitCode, requests }).toEqual({ flags, exitCode: 2, requests: [] });
    }
  });

  test("asks before all prompts for the reason that a context requires, and fails without one", async () => {
    const config = configOf(["eu", "us"], { us: { require_reason: true } });
    const { world, requests } = two({ config });
    expect(await cli(`relayers ${verb} --all -c eu,us --confirm 5`, world)).toMatchObject({ exitCode: 2 });
    expect(requests).toEqual([]);
    await exits(0, `relayers ${verb} --all -c eu,us --confirm 5 --reason incident`, world);
  });
});

describe("any other write in several contexts", () => {
  test.each([
    "relayers resume a --yes",
    "relayers update a --name x --yes",
    "relayers delete a --confirm a",
    "relayers edit a",
    "tx send a --to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 --value 1wei --gas-limit 21000 --yes",
    "tx cancel a 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --yes",
    "notifications create --url https://x.example.org --yes",
    "notifications delete ops --confirm ops",
    "signers delete s1 --confirm s1",
    "networks update evm:mainnet --rpc-url https://x.example.org --yes",
    "api PATCH /relayers/a --yes",
    "undo",
    "relayers list --watch 5s",
    "tx list --watch 5s",
    "relayers status --watch 5s",
    "relayers status --listen 127.0.0.1:0",
    "relayers list -o prom",
    "relayers list -o raw",
    "relayers list --curl",
    "relayers list --server https://x.example.org",
    "relayers list --token-file token.txt",
    "relayers list --demo",
    "doctor --fix",
    "doctor --junit out.xml",
    "find x --dry-run",
    "find x --all-contexts",
    "history --all-contexts",
    "auth status",
    "auth login --server https://x.example.org",
    "context list",
    "context show",
    "serve",
    "history verify",
    "server metrics",
    "tx wait a 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50",
    "api GET /relayers",
  ])("relayctl %s is refused with 2, and nothing is sent", async (line) => {
    for (const selected of ["eu,us", "*", "eu,eu"]) {
      const { world, requests } = two({ files: { "token.txt": TOKEN } });
      const ran = await cli([...line.split(" "), "-c", selected], world);
      expect({ exitCode: ran.exitCode, stdout: ran.stdout, requests }).toEqual({
        exitCode: 2,
        stdout: "",
        requests: [],
      });
    }
  });

  test("is refused before a pattern is looked up, and a pattern that matches none is refused everywhere", async () => {
    for (const line of ["relayers list", "relayers pause --all --yes", "find x", "history", "doctor"]) {
      const { world, requests } = two();
      const ran = await ends({ exitCode: 2, stdout: "" }, [...line.split(" "), "-c", "ea*"], world);
      expect(ran.stderr).toContain('no context matches "ea*"; known: eu, us');
      expect(requests).toEqual([]);
    }
  });
});
