import { ends, says } from "../../helpers/cli.ts";
import { type Fleet, watching } from "./watching.ts";

const STATES = ["active", "paused", "disabled"] as const;

function fleetOf(count: number): Fleet {
  const relayers = Array.from({ length: count }, (_, index) => ({
    id: `relayer-${String(index).padStart(3, "0")}`,
    name: `Relayer ${index}`,
    network: "mainnet",
    network_type: "evm",
    paused: false,
    system_disabled: false,
    address: `0x${String(index).padStart(40, "0")}`,
  }));
  return { relayers, statuses: {}, transactions: {} };
}

function become({ relayers }: Fleet, index: number, state: (typeof STATES)[number]): void {
  const reason = { type: "NonceSyncFailed", details: "x" };
  const disabled = { system_disabled: state === "disabled", disabled_reason: state === "disabled" ? reason : null };
  Object.assign(relayers[index] ?? {}, { paused: state === "paused", ...disabled });
}

describe("a watched list of relayers", () => {
  test("into a pipe is an event for each relayer, then one for each change of what the table shows", async () => {
    const fleet = fleetOf(2);
    const watch = await watching("relayers list --watch 5s --fields id,state --retries 0", fleet);
    become(fleet, 1, "paused");
    await watch.pass(5);
    fleet.relayers[0] = { ...fleet.relayers[0], id: "relayer-000", name: "Another" };
    await watch.pass(5);
    fleet.relayers.pop();
    await watch.pass(5);
    expect(await watch.end()).toMatchObject({
      exitCode: 0,
      stderr: "",
      stdout:
        '{"time":"2026-11-21T03:12:07.000Z","event":"seen","relayer":{"id":"relayer-000","state":"active"}}\n' +
        '{"time":"2026-11-21T03:12:07.000Z","event":"seen","relayer":{"id":"relayer-001","state":"active"}}\n' +
        '{"time":"2026-11-21T03:12:12.000Z","event":"changed","relayer":{"id":"relayer-001","state":"paused"}}\n' +
        '{"time":"2026-11-21T03:12:22.000Z","event":"removed","relayer":{"id":"relayer-001","state":"paused"}}\n',
    });
  });

  test("reports a change of any field of the table, but of no other", async () => {
    const fleet = fleetOf(1);
    const watch = await watching("relayers list --watch 5s", fleet);
    Object.assign(fleet.relayers[0] ?? {}, { signer_id: "another" });
    await watch.pass(5);
    Object.assign(fleet.relayers[0] ?? {}, { notification_id: "ops-hook" });
    await watch.pass(5);
    const { stdout } = await watch.end();
    expect(stdout.match(/"event":"\w+"/g)).toEqual(['"event":"seen"', '"event":"changed"']);
  });

  test("reports a change of the pending transactions if they are named", async () => {
    const fleet = fleetOf(1);
    const status = { network_type: "evm", balance: "1", pending_transactions_count: 0, nonce: "3" };
    fleet.statuses["relayer-000"] = status;
    const watch = await watching("relayers list --watch 5s --fields id,pending", fleet);
    fleet.statuses["relayer-000"] = { ...status, pending_transactions_count: 7 };
    await watch.pass(35);
    expect((await watch.end()).stdout).toMatch(/"pending":0}}\n.*"event":"changed".*"pending":7}}\n$/);
  });

  test("applies --where and --sort, and reports once what no longer matches", async () => {
    const fleet = fleetOf(3);
    for (const index of [0, 2]) become(fleet, index, "paused");
    const watch = await watching("relayers list --watch 5s --where paused --sort -id --fields id,paused", fleet);
    become(fleet, 0, "active");
    await watch.pass(10);
    const { stdout } = await watch.end();
    expect(stdout.replaceAll(/"time":"[^"]*",/g, "")).toBe(
      '{"event":"seen","relayer":{"id":"relayer-002","paused":true}}\n' +
        '{"event":"seen","relayer":{"id":"relayer-000","paused":true}}\n' +
        '{"event":"changed","relayer":{"id":"relayer-000","paused":false}}\n',
    );
  });

  test.each([60, 80, 140])("is the table with marks and a log at %d columns", async (columns) => {
    const fleet = fleetOf(4);
    become(fleet, 1, "paused");
    const watch = await watching("relayers list --watch 5s", fleet, { terminal: true, columns, rows: 20 });
    become(fleet, 1, "active");
    become(fleet, 2, "disabled");
    await watch.pass(5);
    await expect(watch.screen()).toMatchFileSnapshot(`screens/relayers-${columns}.txt`);
    expect((await watch.end()).left).not.toContain(">");
  });

  test("marks the rows of named fields too", async () => {
    const fleet = fleetOf(2);
    const watch = await watching("relayers list --watch 5s --fields id,state", fleet, { terminal: true, columns: 80 });
    become(fleet, 1, "paused");
    await watch.pass(5);
    expect(watch.screen()).toContain("  ID           STATE\n  relayer-000  active\n> relayer-001  paused\n");
  });
});

describe("a watched list that is longer than the screen", () => {
  test("shows what changed and the worst relayers, and counts the others", async () => {
    const fleet = fleetOf(40);
    become(fleet, 30, "disabled");
    become(fleet, 20, "paused");
    const watch = await watching("relayers list --watch 5s", fleet, { terminal: true, columns: 80, rows: 12 });
    expect(watch.screen()).toMatch(/relayer-020 [\s\S]*relayer-030 [\s\S]*… 32 more relayers: 32 active\n/);
    become(fleet, 39, "paused");
    await watch.pass(5);
    expect(watch.screen()).toMatch(/> relayer-039 .*paused[\s\S]*\n\n03:12:12Z {2}relayer-039 {2}active → paused\n/);
    expect(watch.screen().trimEnd().split("\n")).toHaveLength(11);
  });

  test("keeps the order of --sort", async () => {
    const fleet = fleetOf(40);
    become(fleet, 30, "disabled");
    const watch = await watching("relayers list --watch 5s --sort -id", fleet, { terminal: true, rows: 8 });
    expect(watch.screen()).toMatch(/relayer-039[\s\S]*relayer-038/);
    expect(watch.screen()).not.toContain("relayer-030");
  });

  test.each([1, 2, 3, 4, 5])("fits a terminal of %d rows", async (rows) => {
    const watch = await watching("relayers list --watch 5s", fleetOf(9), { terminal: true, columns: 50, rows });
    expect(watch.screen().trimEnd().split("\n").length).toBeLessThanOrEqual(Math.max(1, rows - 1));
    expect(watch.screen()).toContain("03:12:07Z");
  });

  test("leaves at most 200 rows at the end", async () => {
    const watch = await watching("relayers list --watch 5s", fleetOf(1_000), { terminal: true, rows: 10 });
    const { left } = await watch.end();
    expect(left).toContain("… 800 more relayers: 800 active\n");
    expect(left.split("\n").length).toBeLessThan(210);
  });
});

describe("a watch of a list, or of states", () => {
  test.each([
    ["--watch 5", "--watch 5: needs a unit"],
    ["--watch 999ms --deadline 1s", "--watch 999ms: must be at least 1s"],
    ["--watch 5s -o json", "--watch: cannot be combined with -o json; only table and ndjson"],
    ["--watch 5s --query '[0]'", "--watch: cannot be combined with --query"],
  ])("is rejected before any request: %s", async (flags, words) => {
    for (const command of ["relayers list", "relayers status", "tx list"])
      await says({ exitCode: 2, requests: [] }, `${command} ${flags}`, words);
  });

  test("shows its request with --dry-run", async () => {
    const ran = await ends({ exitCode: 0, requests: [] }, "relayers list --watch 5s --dry-run");
    expect(ran.stdout).toContain("GET /api/v1/relayers");
  });
});

describe("transactions", () => {
  const LINE = "tx list --watch 5s --fields id,status --retries 0";

  /** A relayer with so many confirmed transactions, newest first, and these older pending ones. */
  function fleetOf(confirmed: number, pending: readonly string[] = []): Fleet {
    const record = (id: string, status: string) => ({
      id,
      relayer_id: "r1",
      status,
      created_at: "2026-11-21T03:00:00Z",
    });
    return {
      relayers: [{ id: "r1", network: "mainnet", network_type: "evm" }],
      statuses: {},
      transactions: {
        r1: [
          ...Array.from({ length: confirmed }, (_, index) => record(`c${index}`, "confirmed")),
          ...pending.map((id) => record(id, "submitted")),
        ],
      },
    };
  }

  function become(fleet: Fleet, id: string, status: string): void {
    const found = Object.values(fleet.transactions)
      .flat()
      .find((each) => each.id === id);
    Object.assign(found ?? {}, { status });
  }

  function events(stdout: string): string[] {
    const lines = stdout.trimEnd().split("\n");
    return lines
      .map((line) => JSON.parse(line))
      .map(({ event, transaction }) => `${event} ${transaction.id} ${transaction.status}`);
  }

  describe("watched transactions", () => {
    test("are the newest and every pending one, with at most four requests", async () => {
      const watch = await watching(LINE.replace("list", "list r1"), fleetOf(500, ["old"]));
      expect(watch.requests).toHaveLength(4);
      const seen = events((await watch.end()).stdout);
      expect(seen).toHaveLength(101);
      expect(seen).toContain("seen old submitted");
    });

    test("are read with one request if there are few", async () => {
      const watch = await watching(LINE.replace("list", "list r1"), fleetOf(3));
      await watch.pass(5);
      expect(watch.requests).toHaveLength(2);
    });

    test("are drawn with the coin of the network, read once, and end without an error after Ctrl-C", async () => {
      const fleet = fleetOf(0, ["old"]);
      Object.assign(fleet.transactions.r1?.[0] ?? {}, { value: "1000000000000000000" });
      const watch = await watching("tx list r1 --watch 5s", fleet, { terminal: true });
      await watch.pass(20);
      expect(watch.screen()).toMatch(/old .* 1 ETH/);
      expect(watch.targets(/\/relayers\/r1$/)).toBe(1);
      const { exitCode, stderr, left } = await watch.end();
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(left).toMatch(/old .* 1 ETH/);
    });

    test("have notes below them that are wrapped between words", async () => {
      const watch = await watching("tx list --watch 5s", fleetOf(0, ["old"]), { terminal: true, columns: 40 });
      const screen = watch.screen();
      expect(screen.replaceAll(/\s+/g, " ")).toMatch(/\d columns? hidden for width: [\w, ]+ \(-o tsv has all\)/);
      const notes = screen.slice(screen.indexOf("hidden"), screen.indexOf("Ctrl-C")).split("\n").slice(0, -1);
      expect(Math.max(...notes.map(({ length }) => length))).toBeLessThanOrEqual(40);
    });

    test("show how one ended that leaves the list, and nothing when an ended one leaves it", async () => {
      const fleet = fleetOf(200, ["old"]);
      const watch = await watching(LINE.replace("list", "list r1"), fleet);
      become(fleet, "old", "confirmed");
      await watch.pass(5);
      fleet.transactions.r1?.unshift({ id: "new", relayer_id: "r1", status: "pending" });
      await watch.pass(5);
      expect(events((await watch.end()).stdout).slice(101)).toEqual(["changed old confirmed", "added new pending"]);
    });

    test("show how each of many ended that leave the list at once", async () => {
      const many = Array.from({ length: 30 }, (_, index) => `old${index}`);
      const fleet = fleetOf(200, many);
      const watch = await watching(LINE.replace("list", "list r1"), fleet);
      for (const id of many) become(fleet, id, "confirmed");
      await watch.pass(30);
      const ends = events((await watch.end()).stdout).slice(130);
      expect(ends.sort()).toEqual(many.map((id) => `changed ${id} confirmed`).sort());
    });

    test("that were deleted while pending are reported as removed", async () => {
      const fleet = fleetOf(1, ["old"]);
      const watch = await watching(LINE.replace("list", "list r1"), fleet);
      fleet.transactions.r1?.pop();
      await watch.pass(5);
      expect(events((await watch.end()).stdout).at(-1)).toBe("removed old submitted");
    });

    test("of one status report once that it changed", async () => {
      const fleet = fleetOf(5, ["old"]);
      const watch = await watching(`${LINE.replace("list", "list r1")} --status submitted`, fleet);
      become(fleet, "old", "mined");
      await watch.pass(20);
      expect(events((await watch.end()).stdout)).toEqual(["seen old submitted", "changed old mined"]);
    });
  });

  describe("the watched transactions of a fleet", () => {
    test("are those of every active relayer, read at a pace that the service can bear", async () => {
      const fleet = fleetOf(1);
      fleet.relayers = Array.from({ length: 100 }, (_, index) => ({ id: `r${index}`, paused: index >= 90 }));
      fleet.transactions = Object.fromEntries(
        fleet.relayers.map(({ id }) => [id, [{ id: `of-${id}`, relayer_id: id, status: "confirmed" }]]),
      );
      const watch = await watching("tx list --watch 1s", fleet);
      expect(watch.requests).toHaveLength(91);
      await watch.pass(9);
      expect(watch.requests).toHaveLength(91);
      await watch.pass(1);
      expect(watch.requests).toHaveLength(182);
    });

    test("report a relayer that cannot be read, and keep its last reading", async () => {
      const fleet = fleetOf(1);
      fleet.relayers.push({ id: "r2" });
      fleet.transactions.r2 = [{ id: "x", relayer_id: "r2", status: "submitted" }];
      const watch = await watching("tx list --watch 5s", fleet, { terminal: true, columns: 100 });
      expect(watch.screen()).toContain("submitted");
      fleet.unreadable = "r2";
      await watch.pass(5);
      expect(watch.screen()).toMatch(/submitted[\s\S]*1 relayer not read: r2/);
      fleet.unreadable = "r1";
      fleet.relayers.pop();
      await watch.pass(5);
      expect(watch.screen()).toContain("no response: An unknown error occurred");
    });

    test("are logged with their relayer", async () => {
      const fleet = fleetOf(0, ["old"]);
      const watch = await watching("tx list --watch 5s", fleet, { terminal: true, columns: 100 });
      become(fleet, "old", "mined");
      await watch.pass(5);
      expect(watch.screen()).toContain("03:12:12Z  r1  old  submitted → mined\n");
    });
  });
});
