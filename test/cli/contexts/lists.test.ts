import { cli, ends, exits, says, TOKEN } from "../../helpers/cli.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { configOf, down, fleetOf, origin, serviceOver, worldOf } from "./world.ts";

const two = () => worldOf({ eu: fleetOf("b", "shared", "a"), us: fleetOf("shared", "c") });
const pairsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((row) => row.split("\t"))
    .map((cells) => `${cells.at(-1)} ${cells[0]}`);

const ALL = ["eu a", "eu b", "eu shared", "us c", "us shared"];

describe("a list of several contexts", () => {
  test("has the items of each, by context and ID, with the context as the last column", async () => {
    const { stdout } = await exits(0, "relayers list -c eu,us", two().world);
    expect(pairsOf(stdout)).toEqual(ALL);
    expect(pairsOf((await cli("relayers list -c us,eu", two().world)).stdout)[0]).toBe("us c");
  });

  test("appends the context to what one context prints, and changes nothing else", async () => {
    for (const format of ["tsv", "csv --no-headers"]) {
      const { stdout } = await cli(`relayers list -c eu,us -o ${format}`, two().world);
      const [eu, us] = await Promise.all(
        ["eu", "us"].map(async (name) => (await cli(`relayers list -c ${name} -o ${format}`, two().world)).stdout),
      );
      const separator = format === "tsv" ? "\t" : ",";
      const named = (text = "", name = "") => text.replaceAll(/\r?\n/g, (end) => `${separator}${name}${end}`);
      expect(stdout).toBe(named(eu, "eu") + named(us, "us"));
    }
    expect((await cli("relayers list -c eu,us -o csv", two().world)).stdout.split("\r\n")[0]).toMatch(/,context$/);
  });

  test("has the context as the last member of each object, after every member and digit of the service", async () => {
    const odd = '{"id":"x","7":1.0,"context":"forged","value":123456789012345678901234567890}';
    const { world } = worldOf({ eu: listing(odd), us: fleetOf("c") });
    const { stdout } = await cli("relayers list -c eu,us -o ndjson --limit 9", world);
    expect(stdout.split("\n")[0]).toBe('{"id":"x","7":1.0,"value":123456789012345678901234567890,"context":"eu"}');
    const json = JSON.parse((await cli("relayers list -c eu,us -o json", world)).stdout);
    expect(json.map((item: { context: string }) => item.context)).toEqual(["eu", "us"]);
    expect((await cli("relayers list -c eu,us -o yaml", world)).stdout).toContain("context: us");
  });

  test("streams NDJSON without waiting for the slowest context", async () => {
    const { world } = two();
    const lines = (await cli("relayers list -c eu,us -o ndjson", world)).stdout.trimEnd().split("\n");
    expect(
      lines
        .map((line) => JSON.parse(line))
        .map(({ context, id }) => `${context} ${id}`)
        .sort(),
    ).toEqual(ALL);
  });

  test("has the context as the first column of a table, on a narrow terminal too", async () => {
    for (const columns of [30, 100]) {
      const { stdout } = await cli("relayers list -c eu,us --color never --no-pager", {
        ...two().world,
        terminal: true,
        columns,
      });
      expect(stdout).toMatch(/^ +CONTEXT +ID/);
      expect(stdout).toMatch(/eu +shared/);
      expect(stdout).toMatch(/us +shared/);
    }
    const piped = await cli("relayers list -c eu,us -o table", two().world);
    expect(piped.stdout).toMatch(/^CONTEXT +ID/);
  });

  test("prints only IDs with -o name, one for each item", async () =>
    expect((await cli("relayers list -c eu,us -o name", two().world)).stdout).toBe("a\nb\nshared\nc\nshared\n"));

  test("selects, sorts, and limits over all contexts", async () => {
    const ran = async (flags: string) => pairsOf((await cli(`relayers list -c eu,us ${flags}`, two().world)).stdout);
    expect(await ran("--where id=shared")).toEqual(["eu shared", "us shared"]);
    expect(await ran("--where context=us")).toEqual(["us c", "us shared"]);
    expect(await ran("--where context!=us --where id!=a")).toEqual(["eu b", "eu shared"]);
    expect(await ran("--sort=-context")).toEqual(["us c", "us shared", "eu a", "eu b", "eu shared"]);
    expect(await ran("--sort id")).toEqual(["eu a", "eu b", "us c", "eu shared", "us shared"]);
    expect(await ran("--limit 4")).toHaveLength(4);
    expect(await ran("--sort id --limit 2")).toEqual(["eu a", "eu b"]);
    const { stdout } = await cli("relayers list -c eu,us --fields context,id", two().world);
    expect(stdout.split("\n")[3]).toBe("us\tc");
    const query = await cli(
      ["relayers", "list", "-c", "eu,us", "--query", "[?context=='us'].id", "-o", "json"],
      two().world,
    );
    expect(JSON.parse(query.stdout)).toEqual(["c", "shared"]);
  });

  test("requests the same page of each service", async () => {
    const { world, requests } = two();
    const { stdout } = await cli("relayers list -c eu,us --page 1 --per-page 1", world);
    expect(pairsOf(stdout)).toHaveLength(2);
    expect(requests).toEqual([
      "eu GET /api/v1/relayers?page=1&per_page=1",
      "us GET /api/v1/relayers?page=1&per_page=1",
    ]);
  });

  test("reads each service once, however often its name is selected", async () => {
    for (const selected of ["eu,eu", "eu,e*", "e?"]) {
      const { world, requests } = two();
      const { stdout } = await cli(["relayers", "list", "-c", selected], world);
      expect(pairsOf(stdout)).toEqual(["eu a", "eu b", "eu shared"]);
      expect(requests).toHaveLength(1);
    }
  });

  test("says how many there are, and that there are none", async () => {
    const terminal = { terminal: true, columns: 100 };
    const { stderr } = await cli("relayers list -c eu,us --color never --no-pager", { ...two().world, ...terminal });
    expect(stderr).toContain("5 relayers · eu, us");
    const none = await ends({ exitCode: 0, stdout: "" }, "relayers list -c eu,us --where id=nothing", two().world);
    expect(none.stderr).toBe("no relayers match id=nothing in eu, us (5 in all)\n");
    const empty = worldOf({ eu: fleetOf(), us: fleetOf() });
    expect((await cli("relayers list -c eu,us", empty.world)).stderr).toBe("no relayers in eu, us\n");
  });

  test("keeps control characters of a service from the terminal", async () => {
    const { world } = worldOf({ eu: listing('{"id":"x\\u001b[2J"}'), us: fleetOf("c") });
    const { stdout } = await cli("relayers list -c eu,us --color never --no-pager", {
      ...world,
      terminal: true,
      columns: 80,
    });
    expect(stdout).not.toContain("\u001b[2J");
  });

  test("prints what one context prints with one name, also if a name looks like a list", async () => {
    const one = await cli("relayers list -c eu", two().world);
    expect(one.stdout).not.toMatch(/\teu$/m);
    const odd = {
      ...two().world,
      config: { ...configOf(["eu"]), contexts: { "a,b": { server: origin("eu"), token: TOKEN } } },
    };
    expect((await cli("relayers list -c a,b", odd)).stdout).toBe(one.stdout);
  });

  test("reads services side by side, a few at a time", async () => {
    let [open, most] = [0, 0];
    const names = ["a1", "a2", "a3", "a4", "a5", "a6"];
    const slow =
      (name: string) =>
      async (...request: Parameters<ReturnType<typeof fleetOf>>) => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
        return await fleetOf(name)(...request);
      };
    const { world } = worldOf(Object.fromEntries(names.map((name) => [name, slow(name)])));
    const { stdout } = await cli(["relayers", "list", "-c", "a*"], world);
    expect(pairsOf(stdout)).toEqual(names.map((name) => `${name} ${name}`));
    expect(most).toBe(4);
  });
});

describe("RELAYCTL_SERVER and RELAYCTL_CONTEXT next to several contexts", () => {
  test("are ignored with one note, and send no token of the environment", async () => {
    const { world } = two();
    const env = { RELAYCTL_SERVER: "https://other.example.org", RELAYCTL_TOKEN: "t".repeat(32) };
    const { stderr, stdout } = await exits(0, "relayers list -c eu,us", { ...world, env });
    expect(pairsOf(stdout)).toEqual(ALL);
    expect(stderr.split("\n").filter((line) => line.includes("RELAYCTL_SERVER"))).toHaveLength(1);
  });

  test("RELAYCTL_CONTEXT is the name of one context", async () => {
    for (const RELAYCTL_CONTEXT of ["eu,us", "*"]) {
      const { world, requests } = two();
      const ran = await ends({ exitCode: 2, stdout: "" }, "relayers list", { ...world, env: { RELAYCTL_CONTEXT } });
      expect(ran.stderr).toContain("RELAYCTL_CONTEXT");
      expect(requests).toEqual([]);
    }
  });
});

/** A service whose list has these items, as they are written. */
function listing(...items: readonly string[]): ReturnType<typeof fleetOf> {
  const body = `{"success":true,"data":[${items}],"error":null,"pagination":{"current_page":1,"per_page":100,"total_items":${items.length}}}`;
  return async () => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: new TextEncoder().encode(body),
  });
}

const both = () => worldOf({ eu: serviceOver(), us: serviceOver() });
const oneDown = () => worldOf({ eu: serviceOver(), us: down });

describe("relayers status in several contexts", () => {
  test("shows the relayers of each context below its name on a terminal, with its own commands", async () => {
    const { world } = both();
    const { stdout } = await cli("relayers status -c eu,us --color never --no-pager", {
      ...world,
      terminal: true,
      columns: 100,
    });
    expect(stdout).toMatch(/^ {2}CONTEXT {2}RELAYER .*\n✗ eu +eth-sepolia +disabled/);
    expect(stdout).toMatch(/\nus · 8 relayers\n✗ eth-sepolia /);
    expect(stdout).toContain("relayctl -c us relayers resume eth-main-2");
  });

  test("selects by fields of status and of the context at the same time", async () => {
    const { world } = both();
    const { stdout } = await cli(
      "relayers status -c eu,us --where context=us --where status.nonce=11 --fields relayer.id,status.nonce,context",
      world,
    );
    expect(stdout).toBe("eth-main-1\t11\tus\n");
  });

  test("fails a check with 13 if every context was checked, and with 12 if not", async () => {
    const fine = worldOf({ eu: fleetOf("a"), us: fleetOf("b") });
    expect((await cli("relayers status -c eu,us --check", fine.world)).exitCode).toBe(0);
    const sick = worldOf({ eu: fleetOf("a"), us: serviceOver() });
    await says(13, "relayers status -c eu,us --check", "us: the check failed", sick.world);
    expect((await cli("relayers status -c eu,us --check --retries 0", oneDown().world)).exitCode).toBe(12);
    const crossed = await exits(
      13,
      ["relayers", "status", "-c", "eu,us", "--check", "--crit", "balance<1000000eth"],
      both().world,
    );
    expect(crossed.stdout).toContain("\tus\n");
  });

  test("prints metrics with each name once, and 0 for the scrape of a context that fails", async () => {
    const { stdout } = await exits(12, "relayers status -c eu,us -o prom --retries 0", oneDown().world);
    const names = [...stdout.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(stdout).toContain('relayctl_scrape_success{context="us"} 0\n');
    expect(stdout).toMatch(/relayctl_scrape_success\{context="eu"\} [01]\n/);
    const whole = await cli("relayers status -c eu,us -o prom", both().world);
    expect(whole.stdout.match(/^relayctl_relayer_balance\{context="(eu|us)",relayer="eth-main-1"/gm)).toHaveLength(2);
    for (const name of ["relayctl_relayer_balance", "relayctl_relayer_state"]) {
      const lines = whole.stdout.split("\n").flatMap((line, index) => (line.startsWith(`${name}{`) ? [index] : []));
      expect((lines.at(-1) ?? 0) - (lines[0] ?? 0)).toBe(lines.length - 1);
    }
  });
});

describe("facts of several contexts", () => {
  test("are a list for scripts, and below the name of each context on a terminal", async () => {
    const { world } = both();
    const { stdout } = await cli("server health -c eu,us -o json", world);
    expect(JSON.parse(stdout)).toEqual([
      { health: "OK", context: "eu" },
      { health: "OK", context: "us" },
    ]);
    expect((await cli("server health -c eu,us", world)).stdout).toBe("OK\teu\nOK\tus\n");
    const screen = await cli("server ready -c eu,us --color never", { ...world, terminal: true, columns: 80 });
    expect(screen.stdout).toMatch(/^context +eu\nready +yes\n[\s\S]*context +us\nready +yes\n/);
  });

  test("that cannot be read hide nothing of the others", async () => {
    const { stdout, stderr } = await exits(12, "server ready -c us,eu -o json --retries 0", oneDown().world);
    expect(JSON.parse(stdout)).toMatchObject([{ ready: true, context: "eu" }]);
    expect(stderr).toContain("us");
  });
});

describe("doctor in several contexts", () => {
  test("shows the context of each finding and each skipped check", async () => {
    const { stdout } = await exits(13, "doctor -c eu,us -o json", both().world);
    const { findings, skipped } = JSON.parse(stdout);
    for (const list of [findings, skipped])
      expect(new Set(list.map(({ context }: { context: string }) => context))).toEqual(new Set(["eu", "us"]));
    const rows = (await cli("doctor -c eu,us -o tsv", both().world)).stdout.trimEnd().split("\n");
    expect(rows).toHaveLength(findings.length);
    expect(rows.every((row) => /\t(?:eu|us)$/.test(row))).toBe(true);
  });

  test("ends with 12 if a service could not be examined, whatever is found in the others", async () => {
    for (const flags of ["", "--only REL-PAUSED", "-o json", "-o tsv"]) {
      const ran = await exits(12, `doctor -c us,eu --retries 0 ${flags}`, oneDown().world);
      expect(ran.stdout).toContain("REL-PAUSED");
      expect(ran.stderr).toMatch(/not examined: connection refused/);
    }
    const fine = worldOf({ eu: fleetOf("a"), us: fleetOf("b") });
    expect((await cli("doctor -c eu,us --only REL-PAUSED", fine.world)).exitCode).toBe(0);
  });
});

test("a transaction in several contexts is read from each, with what its chain says", async () => {
  const id = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
  const { stdout } = await exits(0, `tx get eth-main-1 ${id} -c eu,us -o json`, both().world);
  expect(JSON.parse(stdout).map((item: { id: string; context: string }) => [item.id, item.context])).toEqual([
    [id, "eu"],
    [id, "us"],
  ]);
  const list = await cli("tx list eth-main-1 -c eu,us --limit 3 --fields id,context", both().world);
  expect(
    list.stdout
      .trimEnd()
      .split("\n")
      .map((row) => row.split("\t")[1]),
  ).toEqual(["eu", "eu", "eu"]);
});

test("a dry run of a read in several contexts shows the request for each, and sends none", async () => {
  const { world, requests } = both();
  const { stdout } = await exits(0, "relayers list -c eu,us -n", world);
  expect(stdout).toMatch(/^# eu\nGET \/api\/v1\/relayers[\s\S]*\n# us\nGET /);
  expect(requests).toEqual([]);
});

test("history costs in several contexts sums the transactions of each", async () => {
  const { world } = both();
  const send =
    "tx send eth-main-1 --to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 --value 1wei --gas-limit 21000 --speed fast --yes";
  const journal = memoryJournal();
  for (const name of ["eu", "us"])
    expect(await cli(`${send} -c ${name}`, { ...world, journal })).toMatchObject({ exitCode: 0 });
  const { stdout } = await exits(0, "history costs -c eu,us -o tsv", { ...world, journal });
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((row) => row.split("\t").at(-1)),
  ).toEqual(["eu", "us"]);
});
