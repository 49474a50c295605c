import { type Fleet, watching } from "./watching.ts";

const LINE = "tx list --watch 5s --fields id,status --retries 0";

/** A relayer with so many confirmed transactions, newest first, and these older pending ones. */
function fleetOf(confirmed: number, pending: readonly string[] = []): Fleet {
  const record = (id: string, status: string) => ({ id, relayer_id: "r1", status, created_at: "2026-11-21T03:00:00Z" });
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
