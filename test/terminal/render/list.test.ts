import { type JsonObject, parseJson } from "../../../src/contract/json.ts";
import { readListReply } from "../../../src/contract/reply/list-reply.ts";
import { RelayctlError } from "../../../src/errors.ts";
import type { OutputOptions } from "../../../src/terminal/output-options.ts";
import { renderView } from "../../../src/terminal/render.ts";
import type { Page } from "../../../src/terminal/view.ts";
import { recordingPrinter } from "../recording-printer.ts";
import { base, eth1, eth2, listOf, MAX_U128, page, relayer } from "../sample-relayers.ts";

const fleet = () => [page([eth2, eth1], 3), page([base], 3)];

async function printed(
  options: OutputOptions,
  { pages = fleet(), columns, color }: { pages?: Page[]; columns?: number; color?: boolean } = {},
) {
  const recording = recordingPrinter(columns, color);
  const { view, pulled } = listOf(pages);
  await renderView(view, options, recording.out);
  return { stdout: recording.stdout(), notes: recording.notes, pulled: pulled() };
}

describe("a list without -o", () => {
  test("prints a table and a summary on a terminal", async () => {
    const { stdout, notes } = await printed({}, { columns: 120 });
    expect(stdout).toBe(`\
ID          NAME       STATE                                       CAP  ADDRESS
base-hot    Base hot   active                                        –  0x8ba1f109551bd432803012645ac136ddd64dba72
eth-main-1  Mainnet 1  active  ${MAX_U128}  0x70997970c51812dc3a010c7d01b50e0d17dc79c8
eth-main-2  Mainnet 2  paused                              80000000000  0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc
`);
    expect(notes).toEqual(["3 relayers · demo · 1 need attention: relayctl relayers status"]);
  });

  test("keeps the whole IDs on a terminal with 20 columns, and lists the hidden columns", async () => {
    const { stdout, notes } = await printed({}, { columns: 20 });
    expect(stdout).toBe("ID\nbase-hot\neth-main-1\neth-main-2\n");
    expect(notes[0]).toBe("4 columns hidden for width: name, state, cap, address (-o tsv has all)");
  });

  test("prints TSV with the documented columns to a pipe, without a header or notes", async () => {
    const { stdout, notes } = await printed({});
    expect(stdout).toBe(`\
base-hot\tBase hot\tfalse\t\t0x8ba1f109551bd432803012645ac136ddd64dba72
eth-main-1\tMainnet 1\tfalse\t${MAX_U128}\t0x70997970c51812dc3a010c7d01b50e0d17dc79c8
eth-main-2\tMainnet 2\ttrue\t80000000000\t0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc
`);
    expect(notes).toEqual([]);
  });
});

describe("a list with -o", () => {
  const one = { pages: [page([eth1])] };
  const shown = `{"id":"eth-main-1","name":"Mainnet 1","network":"mainnet","paused":false,"address":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","custom_rpc_urls":[{"url":"https://rpc.example.org/***","weight":80}],"policies":{"gas_price_cap":${MAX_U128},"min_balance":1}}`;

  test("json prints an array of the service's data with masked URLs", async () => {
    const { stdout } = await printed({ format: "json" }, one);
    expect(JSON.parse(stdout)).toEqual([JSON.parse(shown)]);
    expect(stdout).toContain(`      "gas_price_cap": ${MAX_U128},\n`);
    expect(stdout).not.toContain("key-123");
  });

  test("ndjson prints one compact object per line", async () =>
    expect((await printed({ format: "ndjson" }, one)).stdout).toBe(`${shown}\n`));

  test.each([{}, { sort: "id" }])("ndjson is colored on a terminal, one object per line, with %o", async (choices) => {
    const options = { format: "ndjson", ...choices } as const;
    const { stdout } = await printed(options, { ...one, columns: 80, color: true });
    expect(stdout).toContain('\u001b[32m"eth-main-1"\u001b[39m');
    expect(stdout.replaceAll(/\u001b\[\d+m/g, "")).toBe(`${shown}\n`);
    expect((await printed(options, { ...one, color: true })).stdout).toBe(`${shown}\n`);
  });

  test("yaml keeps every digit", async () =>
    expect((await printed({ format: "yaml" }, one)).stdout).toContain(`    gas_price_cap: ${MAX_U128}\n`));

  test("csv has a header by default, and tsv has none", async () => {
    const header = ["id", "name", "paused", "policies.gas_price_cap", "address"];
    const row = ["eth-main-1", "Mainnet 1", "false", MAX_U128, "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"];
    expect((await printed({ format: "csv" }, one)).stdout).toBe(`${header.join(",")}\r\n${row.join(",")}\r\n`);
    expect((await printed({ format: "csv", headers: false }, one)).stdout).toBe(`${row.join(",")}\r\n`);
    expect((await printed({ format: "tsv", headers: true }, one)).stdout).toBe(
      `${header.join("\t")}\n${row.join("\t")}\n`,
    );
  });

  test("name prints the IDs", async () =>
    expect((await printed({ format: "name" })).stdout).toBe("base-hot\neth-main-1\neth-main-2\n"));

  test("table has every column in a pipe", async () => {
    const { stdout, notes } = await printed({ format: "table", headers: false }, one);
    expect(stdout).toBe(`eth-main-1  Mainnet 1  active  ${MAX_U128}  0x70997970c51812dc3a010c7d01b50e0d17dc79c8\n`);
    expect(notes).toEqual([]);
  });

  test("raw prints the body of one page byte for byte, and requests no other page", async () => {
    const body = Uint8Array.of(0x7b, 0xff, 0x1b, 0x7d);
    const recording = recordingPrinter();
    const { view, pulled } = listOf([{ items: [eth1], total: 2, body }, page([base])]);
    await renderView(view, { format: "raw" }, recording.out);
    expect(recording.bytes()).toEqual(body);
    expect(pulled()).toBe(1);
  });

  test("json on a terminal has no control characters, and is the same document", async () => {
    const name = "a\u009b2J\u202eb";
    const { stdout } = await printed({ format: "json" }, { pages: [page([{ id: "r1", name }])], columns: 80 });
    expect(stdout).toContain('"name": "a\\u009b2J\\u202eb"');
    expect(JSON.parse(stdout)).toEqual([{ id: "r1", name }]);
  });
});

describe("the selection of a list", () => {
  test("applies --where, then --sort, then --limit", async () => {
    const options: OutputOptions = {
      format: "name",
      where: ["network=mainnet", "policies.gas_price_cap"],
      sort: "-policies.gas_price_cap",
      limit: 1,
    };
    expect(await printed(options)).toMatchObject({ stdout: "eth-main-1\n", pulled: 2 });
    expect((await printed({ ...options, where: ["policies.gas_price_cap<81gwei"] })).stdout).toBe("eth-main-2\n");
  });

  test("requests no page beyond the limit, unless it sorts", async () => {
    expect(await printed({ format: "name", limit: 2 })).toMatchObject({
      stdout: "eth-main-1\neth-main-2\n",
      pulled: 1,
    });
    expect(await printed({ format: "name", limit: 2, where: ["!paused"] })).toMatchObject({
      stdout: "base-hot\neth-main-1\n",
      pulled: 2,
    });
    expect(await printed({ format: "name", limit: 1, sort: "id" })).toMatchObject({ stdout: "base-hot\n", pulled: 2 });
  });

  test("selects columns in flat formats and members in all others", async () => {
    const fields = "policies.gas_price_cap,id";
    const pages = [page([eth2])];
    expect((await printed({ fields }, { pages })).stdout).toBe("80000000000\teth-main-2\n");
    expect((await printed({ fields, format: "ndjson" }, { pages })).stdout).toBe(
      '{"id":"eth-main-2","policies":{"gas_price_cap":80000000000}}\n',
    );
    expect((await printed({ fields, format: "json" }, { pages })).stdout).toBe(
      '[\n  {\n    "id": "eth-main-2",\n    "policies": {\n      "gas_price_cap": 80000000000\n    }\n  }\n]\n',
    );
    expect((await printed({ fields, format: "table" }, { pages: [page([eth2, base])] })).stdout).toBe(
      "POLICIES.GAS_PRICE_CAP  ID\n                     –  base-hot\n           80000000000  eth-main-2\n",
    );
  });

  test("is checked before the first page is requested", async () => {
    const recording = recordingPrinter();
    const { view, pulled } = listOf(fleet());
    await expect(renderView(view, { where: ["pausd"], query: "a b" }, recording.out)).rejects.toMatchObject({
      failure: "usage",
    });
    expect(pulled()).toBe(0);
    expect(recording.writes()).toBe(0);
  });
});

describe("a query over a list", () => {
  test("gets the ordered array, and prints text to a pipe", async () => {
    expect((await printed({ query: "[].id" })).stdout).toBe("base-hot\neth-main-1\neth-main-2\n");
    expect((await printed({ query: "[?paused].[id, policies.gas_price_cap]" })).stdout).toBe(
      "eth-main-2\t80000000000\n",
    );
    expect((await printed({ query: "[1].policies.gas_price_cap" })).stdout).toBe(`${MAX_U128}\n`);
  });

  test("prints JSON on a terminal and with -o json", async () => {
    expect((await printed({ query: "[1:].policies.gas_price_cap" }, { columns: 80 })).stdout).toBe(
      `[\n  ${MAX_U128},\n  80000000000\n]\n`,
    );
    expect((await printed({ query: "[0].id", format: "json" })).stdout).toBe('"base-hot"\n');
    expect((await printed({ query: "[].id", format: "ndjson" })).stdout).toBe(
      '"base-hot"\n"eth-main-1"\n"eth-main-2"\n',
    );
  });

  test("uses its keys as the columns of csv", async () => {
    const query = "[1:].{id: id, cap: policies.gas_price_cap}";
    expect((await printed({ query, format: "csv" })).stdout).toBe(
      `id,cap\r\neth-main-1,${MAX_U128}\r\neth-main-2,80000000000\r\n`,
    );
  });

  test("never gets an RPC key", async () =>
    expect((await printed({ query: "[].custom_rpc_urls[].url" })).stdout).toBe("https://rpc.example.org/***\n"));

  test("prints its own empty result, without a note", async () =>
    expect(await printed({ query: "[?id=='x']", format: "json" })).toMatchObject({ stdout: "[]\n", notes: [] }));
});

describe("an empty list", () => {
  test.each(["table", "tsv", "name", "ndjson"] as const)("prints only a note in %s", async (format) => {
    expect(await printed({ format, where: ["network=polygon"] })).toMatchObject({
      stdout: "",
      notes: ["no relayers match network=polygon in demo (3 in all)"],
    });
  });

  test.each([
    ["csv", undefined, "paused,id\r\n"],
    ["csv", false, ""],
    ["tsv", true, "paused\tid\n"],
  ] as const)("prints the header in %s with --headers %s", async (format, headers, stdout) => {
    expect((await printed({ format, headers, fields: "paused,id", where: ["network=polygon"] })).stdout).toBe(stdout);
  });

  test.each(["json", "yaml"] as const)("prints [] in %s", async (format) => {
    expect(await printed({ format }, { pages: [page([])] })).toMatchObject({
      stdout: "[]\n",
      notes: ["no relayers in demo"],
    });
  });

  test("has its own note after the last page", async () =>
    expect((await printed({}, { pages: [page([], 5)] })).notes).toEqual([
      "no relayers on this page in demo (5 in all)",
    ]));
});

test("a partial list has the total in its summary", async () => {
  const { notes } = await printed({ limit: 1, where: ["!paused"] }, { columns: 200 });
  expect(notes).toEqual(["1 of 3 relayers · demo"]);
});

describe("a list with a failing second page", () => {
  const failure = new RelayctlError("network", "the connection was reset");

  test.each(["table", "json", "yaml", "csv", "tsv", "name"] as const)("prints nothing in %s", async (format) => {
    const recording = recordingPrinter();
    const { view } = listOf([page([eth1, eth2], 3)], failure);
    await expect(renderView(view, { format }, recording.out)).rejects.toBe(failure);
    expect(recording.stdout()).toBe("");
    expect(recording.notes).toEqual([]);
  });

  test("prints whole lines in ndjson", async () => {
    const recording = recordingPrinter();
    const { view } = listOf([page([{ id: "b" }], 3), page([{ id: "a" }], 3)], failure);
    await expect(renderView(view, { format: "ndjson" }, recording.out)).rejects.toBe(failure);
    expect(recording.stdout()).toBe('{"id":"b"}\n{"id":"a"}\n');
  });
});

describe("rows that are printed as they arrive", () => {
  const items = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index}` }));

  test("ndjson keeps the order of the pages, and prints each page before it requests the next", async () => {
    const recording = recordingPrinter();
    const seen: string[] = [];
    async function* pages() {
      yield page([{ id: "b" }], 2);
      seen.push(recording.stdout());
      yield page([{ id: "a" }], 2);
    }
    await renderView({ ...listOf([]).view, pages: pages() }, { format: "ndjson" }, recording.out);
    expect(seen).toEqual(['{"id":"b"}\n']);
    expect(recording.stdout()).toBe('{"id":"b"}\n{"id":"a"}\n');
  });

  test("ndjson with --sort is printed at the end", async () =>
    expect((await printed({ format: "ndjson", sort: "id", fields: "id" })).stdout).toBe(
      '{"id":"base-hot"}\n{"id":"eth-main-1"}\n{"id":"eth-main-2"}\n',
    ));

  test.each([
    ["tsv", "", "\n"],
    ["name", "", "\n"],
    ["csv", "id\r\n", "\r\n"],
  ] as const)("%s prints rows as they arrive above 50,000 items, with one note", async (format, header, end) => {
    const pages = [page(items(600, "b"), 50_001), page(items(2, "a"), 50_001)];
    const fields = format === "name" ? undefined : "id";
    const { stdout, notes } = await printed({ format, fields }, { pages });
    const rows = [...items(600, "b"), ...items(2, "a")].map(({ id }) => `${id}${end}`);
    expect(stdout).toBe(header + rows.join(""));
    expect(notes).toEqual([
      "50,001 relayers: rows are written as they arrive, not sorted by ID (use --sort to sort them)",
    ]);
  });

  test("tsv sorts 50,000 items or fewer", async () => {
    const pages = [page(items(1, "b"), 50_000), page(items(1, "a"), 50_000)];
    expect(await printed({ fields: "id" }, { pages })).toMatchObject({ stdout: "a0\nb0\n", notes: [] });
  });

  test("a header is printed first, even if no row of the first page matches", async () => {
    const pages = [page(items(2, "b"), 60_000), page([relayer('{"id":"x","paused":true}')], 60_000)];
    expect((await printed({ format: "csv", where: ["paused"], fields: "id" }, { pages })).stdout).toBe("id\r\nx\r\n");
  });
});

test("a name with a line break cannot forge a row, in any format", async () => {
  const pages = () => [page([relayer('{"id":"r1","name":"x\\nr2\\tforged","paused":true}')])];
  for (const format of ["table", "tsv", "csv", "ndjson"] as const) {
    const { stdout } = await printed({ format, headers: false }, { pages: pages(), columns: 120 });
    expect(stdout.trimEnd()).not.toContain("\n");
  }
  const { stdout } = await printed({ format: "yaml" }, { pages: pages() });
  expect(stdout).toBe('- id: r1\n  name: "x\\nr2\\tforged"\n  paused: true\n');
});

describe("a list of unparsed items prints the same output", () => {
  const texts = [
    `{"id":"b","name":"caf\u00e9 \\"x\\"","paused":true,"policies":{"gas_price_cap":${MAX_U128}},"custom_rpc_urls":["https://h.example/key"]}`,
    '{"id":"a","name":"\\u0041","network":"base","policies":{"min_balance":1.0,"gas_price_cap":5}}',
    '{"id":"c","name":null,"paused":false,"address":"0x1","disabled_reason":{"type":"x","details":[1,"]"]}}',
  ];
  const options: OutputOptions[] = [
    {},
    { headers: true },
    { fields: "name,policies.gas_price_cap" },
    { fields: "custom_rpc_urls,id", where: ["paused"] },
    { where: ["policies.gas_price_cap>4"], sort: "-policies.gas_price_cap", limit: 1 },
    { sort: "name" },
  ];
  const formats = ["table", "json", "ndjson", "yaml", "csv", "tsv", "name"] as const;

  test.each(formats)("in %s", async (format) => {
    const body = new TextEncoder().encode(`{"data":[${texts.join(",")}]}`);
    const items = texts.map((text) => parseJson(text) as JsonObject);
    const found = readListReply(body, 100_000)?.items ?? [];
    expect(found.length).toBe(3);
    for (const each of options.filter(({ fields }) => format !== "name" || !fields)) {
      for (const columns of [120, undefined]) {
        const print = (only: Page) => printed({ ...each, format }, { pages: [only], ...(columns && { columns }) });
        expect(await print({ items, found, total: 60_000, body })).toEqual(await print({ items, total: 60_000, body }));
      }
    }
  });
});

test("ndjson signals above 200,000 items that it keeps none, and other formats do not", async () => {
  const told = async (format: "ndjson" | "table", total: number) => {
    let count = 0;
    const { out } = recordingPrinter();
    const { view } = listOf([page([base], total)]);
    await renderView(view, { format }, { ...out, manyPass: () => void count++ });
    return count;
  };
  expect([await told("ndjson", 200_000), await told("ndjson", 200_001), await told("table", 1e6)]).toEqual([0, 1, 0]);
});
