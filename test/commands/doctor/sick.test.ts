import { doctorCodesFor } from "../../../src/doctor/codes.ts";
import { sampled } from "../../helpers/deep.ts";
import { HERE, removeFolders } from "./rows/here.ts";
import { NODES } from "./rows/nodes.ts";
import { QUEUES } from "./rows/queues.ts";
import { RELAYERS } from "./rows/relayers.ts";
import { SERVICES } from "./rows/services.ts";
import { expectRow, type Row } from "./sick.ts";

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
