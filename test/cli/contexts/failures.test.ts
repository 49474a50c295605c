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
