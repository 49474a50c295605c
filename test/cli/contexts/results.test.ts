import { cli, exits, says } from "../../helpers/cli.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { down, fleetOf, serviceOver, worldOf } from "./world.ts";

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
