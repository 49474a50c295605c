import { DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";
import { createChance } from "../../safety/fuzz/chance.ts";
import type { Lived } from "../life.ts";
import { calmWorld } from "../model/facts.ts";
import type { Attempt } from "../model/network.ts";
import type { Ran } from "../program.ts";
import { endFaults, runFaults, togetherFaults } from "./invariants.ts";
import { livePayouts } from "./life.ts";
import { type GivenFile, generateFile } from "./rows.ts";

const LIVES = DEEP ? 1_500 : 2;

describe("lives of payments in bulk", () => {
  // What is loaded for the first time takes time that the model's clock does not know.
  beforeAll(async () => void (await Promise.all([0, 1].map((seed) => livePayouts(seed)))));

  test("pay no row twice, report nothing as paid that the chain does not have, and end", async () => {
    const lives: Lived[] = [];
    for (let seed = 1; seed <= LIVES; seed++) lives.push(await livePayouts(seed));
    expect(lives.filter(({ findings }) => findings.length > 0)).toEqual([]);
    const sum = (what: string) => lives.reduce((all, { counts }) => all + (counts[what] ?? 0), 0);
    expect(sum("rows paid")).toBe(sum("rows"));
    figure("rows of payments in bulk, with faults, kills, and late requests", sum("rows"));
    figure("of these paid twice, or reported as paid although they are not", 0);
  });

  test("are the same for the same seed", async () => expect(await livePayouts(3)).toEqual(await livePayouts(3)));
});

const FILE: GivenFile = {
  name: "payouts.csv",
  text: "",
  rows: [{ to: `0x${"ab".repeat(20)}`, value: 5n, data: null }],
  sum: 5n,
  hasDuplicates: false,
};

/** A run that sent the row of the file, and printed it as sent. */
function paidRun() {
  const world = calmWorld();
  const { id: relayer, address } = world.relayer;
  const [row] = FILE.rows as [GivenFile["rows"][number]];
  const stored = world.worker.post(
    "00000000-0000-4000-8000-000000000001",
    { relayer, address },
    {
      ...row,
      gas: 21_001,
      speed: "fast",
    },
  );
  const attempt: Attempt = {
    ...{
      method: "POST",
      target: "/api/v1/relayers/evm-1/transactions",
      hasLeft: true,
      status: 200,
      received: undefined,
    },
    body: JSON.stringify({ to: row.to, value: "5", gas_limit: 21_001 }),
    applied: { operation: "send", stored, version: row, next: 0 },
  };
  const body = { to: row.to, value: "5", gas_limit: 21_001 };
  const entry = { type: "intent", payment: { row: 1 }, body } as unknown as Ran["entries"][number]["entry"];
  const printed = [{ row: 1, to: row.to, value: "5", state: "sent", transaction_id: stored.id }];
  const ran: Ran = {
    ...{ argv: ["tx", "send-many"], attempts: [attempt], from: 0, to: 0, changes: { from: 0, to: 0 }, head: 0 },
    ...{ exitCode: 0, isKilled: false, waits: 0, stderr: "", journal: "required", entries: [{ entry, attempts: 0 }] },
    stdout: JSON.stringify(printed),
  };
  const printing = (change: object) => ({ ...ran, stdout: JSON.stringify([{ ...printed[0], ...change }]) });
  return { world, ran, attempt, stored, printing };
}

describe("payments in bulk are found to be wrong if", () => {
  const NOBODY = new Set<string>();

  test("nothing is wrong, nothing is found", () => {
    const { world, ran } = paidRun();
    expect(runFaults(world, FILE, ran, NOBODY)).toEqual([]);
    expect(togetherFaults(FILE, [ran])).toEqual([]);
    expect(endFaults(world, FILE, { rans: [ran], copies: NOBODY, last: ran })).toEqual([]);
  });

  test("a row is paid twice, or sent again with the same gas limit while it is unknown", () => {
    const { ran, attempt } = paidRun();
    expect(togetherFaults(FILE, [ran, ran])[0]).toContain("paid 2 times, 1 wanted");
    const lost = { ...ran, attempts: [{ ...attempt, applied: undefined, status: undefined }] };
    expect(togetherFaults(FILE, [lost, ran])[0]).toContain("sent again with the gas limit of an unknown one");
  });

  test.each([
    ["the chain does not have what is confirmed", { state: "confirmed" }, "the chain does not have it"],
    ["the service never had what is sent", { transaction_id: "x" }, "the service never had it"],
    ["a receiver is another one", { to: "0x12" }, "row 1 is another one"],
    ["an amount is another one", { value: "6" }, "another sum printed"],
    ["an unknown row ends with exit code 0", { state: "unknown" }, "exit 0 with rows that are not sent"],
  ])("%s", (_, change, words) => {
    const { world, printing } = paidRun();
    expect(runFaults(world, FILE, printing(change), NOBODY).join("\n")).toContain(words);
  });

  test("a row has the transaction of another client", () => {
    const { world, ran, stored } = paidRun();
    expect(runFaults(world, FILE, ran, new Set([stored.id]))[0]).toContain("the transaction of another client");
  });

  test("a request left before its intent was recorded, or an exit code denies a payment", () => {
    const { world, ran } = paidRun();
    expect(runFaults(world, FILE, { ...ran, entries: [] }, NOBODY)[0]).toContain("before its intent was recorded");
    expect(runFaults(world, FILE, { ...ran, exitCode: 6 }, NOBODY)[0]).toContain("exit 6, but 1 payments were sent");
  });

  test("a row is open at the end, although the service has its transaction", () => {
    const { world, ran, printing } = paidRun();
    const last = printing({ state: "unknown", transaction_id: null });
    expect(endFaults(world, FILE, { rans: [ran], copies: NOBODY, last })[0]).toContain(
      "row 1 of 1 is unknown at the end",
    );
  });
});

test("generated files have one to 500 rows, and their sum", () => {
  for (let seed = 1; seed < 50; seed++) {
    const { rows, sum } = generateFile(createChance(seed));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(500);
    expect(rows.reduce((all, { value }) => all + value, 0n)).toBe(sum);
  }
});
