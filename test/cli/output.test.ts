import { readFileSync } from "node:fs";
import type { Transport } from "../../src/client/transport/transport.ts";
import { RelayctlError } from "../../src/errors.ts";
import { ClosedPipe } from "../../src/terminal/streams/output.ts";
import { cli, exits, printedError, SERVER, says, TOKEN } from "../helpers/cli.ts";
import { reply, success, wholeList } from "../helpers/service/reply.ts";
import { lost } from "../helpers/service/scripted-service.ts";

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
