import type { JsonObject } from "../../../src/contract/json.ts";
import type { OutputOptions } from "../../../src/terminal/output-options.ts";
import { renderView } from "../../../src/terminal/render.ts";
import { parseCondition } from "../../../src/terminal/select/condition.ts";
import type { ResourceView } from "../../../src/terminal/view.ts";
import { recordingPrinter } from "../recording-printer.ts";
import { page, relayerView } from "../sample-relayers.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const secondsAgo = (count: number) => new Date(NOW - count * 1_000).toISOString();
const items: JsonObject[] = [
  { id: "old", at: secondsAgo(3 * 3_600) },
  { id: "new", at: secondsAgo(90) },
  { id: "unknown" },
];
const view: ResourceView = {
  ...relayerView,
  table: [
    { header: "id", cell: ({ id }) => ({ text: String(id) }) },
    { header: "age", cell: ({ at }) => ({ text: String(at ?? ""), ...(at && { time: Date.parse(String(at)) }) }) },
  ],
  flat: ["id", "at"],
  fields: ["id", "at", "age"],
  derived: {
    age: {
      value: ({ at }, now) => (typeof at === "string" ? (now - Date.parse(at)) / 1_000 : null),
      reads: ["at"],
      isAge: true,
    },
  },
  block: ({ at }) => [{ label: "at", value: { text: String(at), time: Date.parse(String(at)) } }],
};

async function printed(options: OutputOptions, columns?: number): Promise<string> {
  const { out, stdout } = recordingPrinter(columns);
  const pages = (async function* () {
    yield page(items);
  })();
  const list = { kind: "list" as const, resource: view, pages, where: "demo" };
  await renderView(list, { ...options, now: NOW }, { ...out, now: NOW });
  return stdout();
}

describe("a derived field", () => {
  test.each([
    ["age>1h", "old\n"],
    ["age<=90s", "new\n"],
    ["age<2d", "new\nold\n"],
    ["age=90", "new\n"],
    ["!age", "unknown\n"],
  ])("can be filtered by: %s", async (condition, ids) => {
    expect(await printed({ where: [condition], format: "name" })).toBe(ids);
  });

  test.each(["1,5h", "1h30m", "5x", "-1h", "soon"])("is not compared with %s, which is not an age", (age) => {
    expect(() => parseCondition(`age>${age}`, view)).toThrow(`${age} is not an age, e.g. 90s`);
  });

  test("can be sorted by, with unknown values last", async () => {
    expect(await printed({ sort: "age", format: "name" })).toBe("new\nold\nunknown\n");
    expect(await printed({ sort: "-age", format: "name" })).toBe("old\nnew\nunknown\n");
  });

  test("can be selected, exactly in data and in short on a terminal", async () => {
    const options = { fields: "id,age", sort: "age" };
    expect(await printed({ ...options, format: "tsv" })).toBe("new\t90\nold\t10800\nunknown\t\n");
    expect(await printed({ ...options, format: "ndjson" })).toBe(
      '{"id":"new","age":90}\n{"id":"old","age":10800}\n{"id":"unknown","age":null}\n',
    );
    expect(await printed(options, 80)).toBe("ID       AGE\nnew       1m\nold       3h\nunknown    –\n");
  });

  test("is not part of output that does not select it", async () =>
    expect(await printed({ where: ["age=90"], format: "ndjson" })).toBe(`{"id":"new","at":"${secondsAgo(90)}"}\n`));
});

describe("a time", () => {
  test("is an age in a table on a terminal, and exact elsewhere", async () => {
    expect(await printed({}, 80)).toBe("ID       AGE\nnew      1m\nold      3h\nunknown  –\n");
    expect(await printed({ format: "table" })).toContain(`old      ${secondsAgo(3 * 3_600)}\n`);
  });

  test("has its age in a block on a terminal, and is exact elsewhere", async () => {
    const shown = async (columns?: number) => {
      const { out, stdout } = recordingPrinter(columns);
      const one = { kind: "one" as const, resource: view, value: items[0] ?? {}, body: new Uint8Array() };
      await renderView(one, { format: "table", now: NOW }, { ...out, now: NOW });
      return stdout();
    };
    expect(await shown(80)).toBe("at    2026-11-21 09:00:00Z, 3 hours ago\n");
    expect(await shown()).toBe("at    2026-11-21T09:00:00.000Z\n");
  });
});
