import { cli, ends, exits, TOKEN } from "../../helpers/cli.ts";
import { configOf, fleetOf, origin, worldOf } from "./world.ts";

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
