import { doctorCodesFor } from "../../../src/doctor/codes.ts";
import { emptySimChain } from "../../../src/embedded-server/chain/sim-chain.ts";
import { cli } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import { HERE, removeFolders } from "./rows/here.ts";
import { NODES } from "./rows/nodes.ts";
import { QUEUES } from "./rows/queues.ts";
import { RELAYERS } from "./rows/relayers.ts";
import { SERVICES } from "./rows/services.ts";
import { altered, examined, expectRow, NOW, type Row, record, ward, words } from "./sick.ts";

afterAll(removeFolders);

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  "a service": SERVICES,
  "a relayer or a notification": RELAYERS,
  "a queue": QUEUES,
  "a node or a balance": NODES,
  "this machine": HERE,
};

describe.each(Object.entries(TABLES))(
  "doctor finds exactly what is wrong with %s, and its commands end it",
  (_, rows) => {
    test.each(sampled(rows, 4))("%s", async (...row) => expectRow(row));
  },
);

describe("the table of sick services", () => {
  const rows = Object.values(TABLES).flat();

  test("has a row for each code", () => {
    const found = new Set(rows.flatMap(([, , finds]) => finds.map((words) => words.split(" ")[1])));
    expect(doctorCodesFor(false).filter((code) => !found.has(code))).toEqual([]);
  });

  test("has at least 60 rows, each with its own title", () => {
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(new Set(rows.map(([title]) => title)).size).toBe(rows.length);
  });
});

test.each([
  [-300, "5m"],
  [7_199, "2h"],
])("clocks that differ by %d s, read in whole seconds, differ by %s", async (seconds, words) => {
  const date = new Date(NOW + seconds * 1000).toUTCString();
  const { world } = ward({ alter: (_, reply) => ({ ...reply, headers: { date } }) });
  const { stdout } = await cli("doctor --only SVC-CLOCK -o json", world);
  expect(stdout).toContain(`differ by ${words}: `);
});

/** A node is late beyond 120 s, or ten blocks. */
test.each([
  [119, 12, []],
  [120, 12, ["warn NONCE-DRIFT r1"]],
  [199, 20, []],
  [200, 20, ["warn NONCE-DRIFT r1"]],
])(
  "a node that is not late may lack a nonce that was confirmed %d s ago, with blocks of %d s",
  async (age, block, finds) => {
    const confirmed_at = new Date(NOW - age * 1000).toISOString();
    const transactions = [record("t1", 5, { status: "confirmed", confirmed_at })];
    const chains = [["evm:mainnet", emptySimChain()]];
    const blockTime = altered(/networks/, /"average_blocktime_ms":[0-9]+/g, `"average_blocktime_ms":${block * 1000}`);
    const counter = altered(/\/status$/, /"nonce":"[0-9]+"/g, '"nonce":"1"');
    const { world } = ward({
      more: { transactions, chains } as never,
      alter: (request, reply) => counter(request, blockTime(request, reply)),
    });
    expect(words(await examined(world))).toEqual(finds);
  },
);
