import { countInContexts } from "../../../src/cli/contexts/run.ts";
import type { BulkCounts } from "../../../src/client/bulk/run-all.ts";
import type { Transport } from "../../../src/client/transport/transport.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { cli, ends, exits, printedError } from "../../helpers/cli.ts";
import { refusal } from "../../helpers/service/reply.ts";
import { configOf, down, fleetOf, serviceOver, worldOf } from "./world.ts";

const unauthorized: Transport = async () => refusal(401, "Unauthorized");

/** Services that can't be read, and the exit code of each by itself. */
const FAULTS: readonly (readonly [string, Transport, number])[] = [
  ["does not respond", down, 10],
  ["rejects the token", unauthorized, 4],
  ["fails", async () => refusal(500, "evil\u001b[2J\ntext"), 9],
  [
    "responds with something else",
    async () => ({ status: 200, headers: {}, body: new TextEncoder().encode("<html>") }),
    9,
  ],
];

const LINES = [
  "relayers list",
  "relayers list -o json",
  "relayers list -o ndjson",
  "relayers list --sort name",
  "relayers list --limit 1",
  "relayers get eth-main-1",
  "relayers get eth-main-1 base-hot",
  "relayers status",
  "relayers status eth-main-1 -o json",
  "relayers balance eth-main-1",
  "tx list eth-main-1",
  "tx list",
  "tx stuck",
  "notifications list",
  "notifications get ops-hook",
  "signers list",
  "signers get signer-1",
  "networks list",
  "networks get evm:mainnet",
  "plugins list",
];

describe("one of several contexts that fails", () => {
  test.each(FAULTS)("that %s hides nothing of the others, and the exit code is 12", async (_, fault) => {
    for (const line of LINES) {
      const both = worldOf({ eu: serviceOver(), us: fault });
      const ran = await cli(`${line} -c us,eu --retries 0`, both.world);
      const alone = worldOf({ eu: serviceOver(), us: fault });
      const whole = await exits(0, `${line} -c e*,eu`, alone.world);
      expect({ line, stdout: ran.stdout, exitCode: ran.exitCode }, ran.stderr).toEqual({
        ...{ line, stdout: whole.stdout, exitCode: 12 },
      });
      expect(ran.stderr).toMatch(/1 of 2 contexts failed(?:\n {2}|; )us: /);
      expect(ran.stderr).not.toContain("\u001b[2J");
    }
  });

  test.each(FAULTS)("that %s, as all others do, ends the command with its own exit code", async (_, fault, code) => {
    const { world } = worldOf({ eu: fault, us: fault });
    const ran = await ends({ exitCode: code, stdout: "" }, "relayers list -c eu,us --retries 0", world);
    for (const name of ["eu", "us"]) expect(ran.stderr).toMatch(new RegExp(`\\b${name}\\b`));
  });

  test.each(FAULTS)(
    "that %s reads as by itself if a name given twice, or a pattern, selects it alone",
    async (...fault) => {
      const [, service, code] = fault;
      const worldWith = () => worldOf({ eu: serviceOver(), us: service }).world;
      const alone = await exits(code, "relayers list -c us --retries 0", worldWith());
      for (const names of ["us,us", "u*"]) {
        const ran = await exits(code, `relayers list -c ${names} --retries 0`, worldWith());
        expect(ran.stderr.split("\n")[0]).toBe(alone.stderr.split("\n")[0]);
      }
    },
  );

  test("is shown in the JSON error with its context", async () => {
    const { world } = worldOf({ eu: serviceOver(), us: down });
    const { stderr } = await cli("relayers list -c eu,us -o json --retries 0", world);
    const error = printedError(stderr);
    expect(error).toMatchObject({
      code: "partial",
      exit_code: 12,
      applied: "no",
      details: [{ where: "us", given: "network" }],
    });
  });

  test("does not have a resource that others have: 12, and 5 if none has it", async () => {
    const { world } = worldOf({ eu: fleetOf("a"), us: fleetOf("b") });
    const { stdout, stderr, exitCode } = await cli("relayers get a -c eu,us", world);
    expect({ exitCode, stdout: stdout.split("\t")[0] }).toEqual({ exitCode: 12, stdout: "a" });
    expect(stderr).toContain("us: ");
    expect(await cli("relayers get x -c eu,us", world)).toMatchObject({ exitCode: 5, stdout: "" });
  });

  test("has no token: it is not asked, and the others are read", async () => {
    const seen = worldOf({ eu: fleetOf("a"), us: fleetOf("b") });
    const config = configOf(["eu", "us"], { us: { token: "" } });
    delete config.contexts.us?.token;
    const ran = await cli("relayers list -c eu,us", { ...seen.world, config });
    expect(ran).toMatchObject({ exitCode: 12, stdout: expect.stringMatching(/^a\t.*\teu\n$/) });
    expect(seen.requests.filter((request) => request.startsWith("us"))).toEqual([]);
  });

  test("breaks off in the middle of its list: none of its rows are printed, but those of NDJSON", async () => {
    const broken: Transport = async (request, ...limits) =>
      request.target.includes("page=1&") ? await many(request, ...limits) : refusal(500, "No");
    const { world } = worldOf({ eu: fleetOf("a"), us: broken });
    const ran = await cli("relayers list -c us,eu --per-page 2 --retries 0", world);
    expect(ran).toMatchObject({ exitCode: 12, stdout: expect.stringMatching(/^a\t.*\teu\n$/) });
    const lines = await exits(12, "relayers list -c us,eu --per-page 2 --retries 0 -o ndjson", world);
    expect(lines.stdout).toContain('"id":"a"');
  });

  test("is what the hint is about, in the terms of that context", async () => {
    const { world } = worldOf({ eu: serviceOver(), us: down });
    const { stderr } = await cli("relayers list -c eu,us --retries 0", world);
    expect(stderr).toContain("hint: relayctl -c us auth status");
  });

  test("leaves the notes of the others, each with the name of its context", async () => {
    const { world } = worldOf({ eu: serviceOver(), us: serviceOver() });
    const { stderr } = await cli("tx list -c eu,us", world);
    expect(stderr).toMatch(/^note: eu: 3 relayers/m);
    expect(stderr).toMatch(/^note: us: 3 relayers/m);
  });
});

test("an interrupt while several contexts are read ends with 130, and waits for none of them", async () => {
  const interrupt = new AbortController();
  const hanging: Transport = (_, { signal }) =>
    new Promise((__, reject) => {
      signal.addEventListener("abort", () => reject(new RelayctlError("interrupted", "interrupted")));
      interrupt.abort("interrupted");
    });
  const { world } = worldOf({ eu: fleetOf("a"), us: hanging });
  for (const format of ["tsv", "ndjson"])
    await exits(130, `relayers list -c us,eu -o ${format}`, { ...world, interrupt: interrupt.signal });
});

const many = fleetOf("m1", "m2", "m3", "m4");

const writesOf = (requests: readonly string[]) => requests.filter((request) => !request.includes(" GET "));

describe.each(["pause", "freeze"])("relayers %s of an ID that not every context has", (verb) => {
  test("pauses it where it is, and ends with 12", async () => {
    const { world, requests } = worldOf({ eu: fleetOf("a"), us: fleetOf("b") });
    const number = verb === "pause" ? 2 : 1;
    const ran = await exits(12, `relayers ${verb} a -c eu,us --confirm ${number}`, world);
    expect(ran.stdout).toMatch(/^a\t.*\teu\n$/);
    expect(writesOf(requests)).toContain("eu PATCH /api/v1/relayers/a");
    expect(ran.stderr).toContain("us: ");
  });
});

describe("relayers pause in several contexts", () => {
  test("reads IDs from stdin once, for all contexts", async () => {
    const { world, requests } = worldOf({ eu: fleetOf("a", "b"), us: fleetOf("a", "b") }, { stdin: "a\nb\n" });
    await exits(0, "relayers pause - -c eu,us --confirm 4", world);
    expect(writesOf(requests)).toHaveLength(4);
  });

  test("prints an undo command for each context, which pastes as it is", async () => {
    const { world } = worldOf({ eu: fleetOf("a"), us: fleetOf("a") });
    const paused = await cli("relayers pause --all -c eu,us --confirm 2", world);
    const undone = [...paused.stderr.matchAll(/^undo: relayctl (.*)$/gm)].map(([, line = ""]) => line);
    expect(undone).toEqual(["-c eu relayers resume a", "-c us relayers resume a"]);
    for (const line of undone) expect((await cli(line, world)).exitCode).toBe(0);
    expect((await cli("relayers list -c eu,us --where paused", world)).stdout).toBe("");
  });

  test("is refused in read-only mode before anything is sent", async () => {
    const { world, requests } = worldOf({ eu: fleetOf("a"), us: fleetOf("a") }, { env: { RELAYCTL_READONLY: "1" } });
    expect(await cli("relayers pause --all -c eu,us --confirm 2", world)).toMatchObject({ exitCode: 3 });
    expect(requests).toEqual([]);
  });

  test("prints nothing on stderr with --quiet but errors, and does the same", async () => {
    const { world, requests } = worldOf({ eu: fleetOf("a"), us: fleetOf("b") });
    expect(await cli("relayers pause --all -c eu,us --confirm 2 -q", world)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(writesOf(requests)).toHaveLength(2);
  });

  test("asks for its number in a pattern that selects one context too", async () => {
    const { world, requests } = worldOf({ eu: fleetOf("a"), us: fleetOf("b") });
    expect(await cli(["relayers", "pause", "a", "-c", "e*"], world)).toMatchObject({ exitCode: 3 });
    expect(writesOf(requests)).toEqual([]);
    expect(await cli(["relayers", "pause", "a", "-c", "e*", "--confirm", "1"], world)).toMatchObject({ exitCode: 0 });
  });
});

test("shows the sum over all contexts as it grows, until the last of them has ended", () => {
  let shown: BulkCounts | undefined;
  const counting = countInContexts({ count: (counts) => (shown = counts) });
  const [eu, us] = [counting(), counting()];
  const counts = (of: number): BulkCounts => ({ doing: "pausing", of, done: 0, failed: 0, since: 0 });
  const [ofEu, ofUs] = [counts(2), counts(3)];
  eu(ofEu);
  us(ofUs);
  ofEu.done = 2;
  ofUs.failed = 1;
  expect({ ...shown }).toEqual({ doing: "pausing", of: 5, done: 2, failed: 1, since: 0 });
  eu(undefined);
  ofUs.done = 2;
  expect({ ...shown }).toEqual({ doing: "pausing", of: 5, done: 4, failed: 1, since: 0 });
  us(undefined);
  expect(shown).toBeUndefined();
});
