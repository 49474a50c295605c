import fc from "fast-check";
import type { JsonObject } from "../../../src/contract/json.ts";
import type { OutputOptions } from "../../../src/terminal/output-options.ts";
import { renderView } from "../../../src/terminal/render.ts";
import { parseCondition, parseSort, sortById } from "../../../src/terminal/select/condition.ts";
import { readSelection } from "../../../src/terminal/select/selection.ts";
import type { ResourceView } from "../../../src/terminal/view.ts";
import { runs } from "../../helpers/deep.ts";
import { recordingPrinter } from "../recording-printer.ts";
import { MAX_U128, page, relayer, relayerView } from "../sample-relayers.ts";

const item = relayer(
  `{"id":"eth-main-1","name":"Mainnet 1","paused":true,"notification_id":null,"address":"0xAbC123","network":"",
    "policies":{"gas_price_cap":${MAX_U128},"min_balance":"500000000000000000","whitelist_receivers":["0xAA","0xBB"]},"disabled_reason":{}}`,
);
const holds = (condition: string) => parseCondition(condition, relayerView)(item);

test.each([
  "paused",
  "!notification_id",
  "!network",
  "!disabled_reason",
  "!disabled_reason.type",
  "policies",
  "paused=true",
  "paused = true",
  "id=eth-main-1",
  "id=base-hot,eth-main-1",
  "id!=base-hot,eth-main-2",
  "notification_id=",
  "disabled_reason.type=",
  "disabled_reason.type!=NonceSyncFailed",
  "name=Mainnet 1",
  "name~MAINNET",
  "id>eth-main-0",
  "id<eth-main-2",
  "address=0xabc123",
  "policies.whitelist_receivers=0xbb",
  "policies.whitelist_receivers!=0xcc",
  "policies.whitelist_receivers~0xA",
  "policies.min_balance=0.5eth",
  "policies.min_balance<=500000000gwei",
  "policies.min_balance<=500000000 gwei",
  "policies.min_balance=0x6f05b59d3b20000",
  `policies.gas_price_cap=${MAX_U128}`,
  `policies.gas_price_cap=0x${"f".repeat(32)}`,
  "policies.gas_price_cap>340282366920938463463374607431768211454",
  "policies.gas_price_cap>80gwei",
  "policies.gas_price_cap!=1sol",
  "policies.gas_price_cap>1.5",
])("a condition matches %s", (condition) => expect(holds(condition)).toBe(true));

test.each([
  "!paused",
  "notification_id",
  "network",
  "paused=false",
  "paused=1",
  "paused=yes,no",
  "id!=eth-main-1",
  "id=ETH-MAIN-1",
  "notification_id=null",
  "notification_id>a",
  "disabled_reason.type~e",
  "name=Mainnet",
  "policies.whitelist_receivers=0xcc",
  "policies.whitelist_receivers!=0xaa",
  "policies.gas_price_cap>=340282366920938463463374607431768211456",
  "policies.gas_price_cap=many",
  "policies.gas_price_cap<many",
  "policies.min_balance>0.5eth",
])("a condition does not match %s", (condition) => expect(holds(condition)).toBe(false));

test("0 counts as set, an empty list does not", () => {
  const zero = relayer('{"policies":{"min_balance":0,"whitelist_receivers":[]}}');
  expect(parseCondition("policies.min_balance", relayerView)(zero)).toBe(true);
  expect(parseCondition("!policies.whitelist_receivers", relayerView)(zero)).toBe(true);
});

test("integers of any size and notation compare like BigInt", () => {
  const spelled = (value: bigint) => fc.constantFrom(String(value), `"${value}"`, `"0x${value.toString(16)}"`);
  const size = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 128n }),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  );
  const cases = fc
    .tuple(size, size)
    .chain(([left, right]) => fc.tuple(fc.constant(left), fc.constant(right), spelled(left)));
  fc.assert(
    fc.property(cases, ([left, right, onWire]) => {
      const one = relayer(`{"policies":{"gas_price_cap":${onWire}}}`);
      const compared = ["=", "!=", "<", "<=", ">", ">="].map((op) =>
        parseCondition(`policies.gas_price_cap${op}${right}`, relayerView)(one),
      );
      expect(compared).toEqual([
        left === right,
        left !== right,
        left < right,
        left <= right,
        left > right,
        left >= right,
      ]);
    }),
    runs(150, 10_000),
  );
});

test.each([
  ["pausd=true", "--where pausd: unknown field of a relayer; closest: paused, "],
  ["a b", "--where a b: needs field, !field or field OP value with OP one of = != < <= > >= ~"],
  ["", "--where : needs field"],
  ["!paused=true", "--where !paused=true: needs field"],
  ["=x", "--where =x: needs field"],
  ["id==x", "--where id==x: use a single = to compare"],
  ...["=>", "=<", "=~", "!=>", "<=>"].map((operator) => [
    `count${operator} 5`,
    `--where count${operator} 5: needs field, !field or field OP value with OP one of = != < <= > >= ~`,
  ]),
  ["policies.gas_price_cap>80gwe", "80gwe is not an amount, e.g. 80gwei, 0.5eth, 0.01sol, 5xlm"],
  ...["1.5wei", "1_000gwei", "1,000eth", ".5eth", "5.eth", "+1 eth", "-0.5eth", "1e3eth", "１eth"].map((amount) => [
    `policies.gas_price_cap<${amount}`,
    `${amount} is not an amount`,
  ]),
  ...["01", "+1", "1_000", "1,000", ".5", "5.", "1e", "-007", "0.5,", "１２"].flatMap((number) =>
    ["<", "<=", ">", ">="].map((order) => [
      `policies.min_balance${order}${number}`,
      `${number} is not a number, e.g. 21000`,
    ]),
  ),
  ...["2026-02-30", "2026-13-01T00:00:00Z", "2026-11-30T24:00", "2026-11-30T10:61:00Z"].flatMap((time) =>
    ["<", ">="].map((order) => [`name${order}${time}`, `${time} is not a time, e.g. 2026-11-30 or `]),
  ),
  ["name~", "needs a value after ~"],
  ["name>", "needs a value after >"],
  ...["1", "TRUE", "no", "yes,no", "true-ish"].flatMap((word) =>
    ["=", "!="].map((operator) => [
      `paused${operator}${word}`,
      `--where paused${operator}${word}: needs true or false`,
    ]),
  ),
])("an invalid condition of a list: %s", async (condition, message) => {
  const chosen = readSelection({ where: [condition] }, relayerView).then(({ where }) => where[0]?.(item));
  await expect(chosen).rejects.toThrow(message);
});

test.each(["name~", "name>", "name<1_000", "name>2026-02-30", "policies.gas_price_cap>80gwe"])(
  "the problem of %s contains the flag it was given to",
  (condition) => expect(() => parseCondition(condition, relayerView, 0, "--expect")).toThrow(`--expect ${condition}: `),
);

const withCap = (id: string, cap?: string) =>
  relayer(`{"id":"${id}"${cap === undefined ? "" : `,"policies":{"gas_price_cap":${cap}}`}}`);
const ids = (items: readonly { [key: string]: unknown }[]) => items.map((item) => item.id);

const fleet = [
  withCap("none"),
  withCap("max", MAX_U128),
  withCap("null", "null"),
  withCap("two53plus1", "9007199254740993"),
  withCap("two53", '"9007199254740992"'),
  withCap("small-b", "7"),
  withCap("small-a", "7"),
  withCap("word", '"many"'),
];

test("sorts integers exactly, then words, then absent values, and keeps the order of equal values", () => {
  const sorted = parseSort("policies.gas_price_cap", relayerView)(fleet);
  expect(ids(sorted)).toEqual(["small-b", "small-a", "two53", "two53plus1", "max", "word", "none", "null"]);
});

test("a minus reverses the order, and absent values still come last", () => {
  const sorted = parseSort("-policies.gas_price_cap", relayerView)(fleet);
  expect(ids(sorted)).toEqual(["word", "max", "two53plus1", "two53", "small-b", "small-a", "none", "null"]);
});

test("sorts IDs by code unit in every locale", () =>
  expect(ids(sortById(["b", "a", "B", "ä", "a-10", "a-9"].map((id) => ({ id }))))).toEqual([
    "B",
    "a",
    "a-10",
    "a-9",
    "b",
    "ä",
  ]));

test("rejects an unknown field, and suggests the closest ones", () =>
  expect(() => parseSort("-nam", relayerView)).toThrow("--sort nam: unknown field of a relayer; closest: name, "));

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
