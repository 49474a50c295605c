import type { JsonValue } from "../../../src/contract/json.ts";
import type { OutputOptions } from "../../../src/terminal/output-options.ts";
import { rowNameLine } from "../../../src/terminal/render/row-format.ts";
import { renderView } from "../../../src/terminal/render.ts";
import { recordingPrinter } from "../recording-printer.ts";
import { eth1, MAX_U128, relayerView } from "../sample-relayers.ts";

describe("one resource", () => {
  async function printed(options: OutputOptions, columns?: number): Promise<string> {
    const recording = recordingPrinter(columns);
    const body = new TextEncoder().encode('{"data":1}');
    await renderView({ kind: "one", resource: relayerView, value: eth1, body }, options, recording.out);
    return recording.stdout();
  }

  test("prints a block on a terminal", async () => {
    expect(await printed({}, 80)).toBe("id      eth-main-1\nname    Mainnet 1\n");
    expect(await printed({ fields: "paused,policies.gas_price_cap" }, 80)).toBe(
      `paused                    false\npolicies.gas_price_cap    ${MAX_U128}\n`,
    );
  });

  test("prints keys and values to a pipe", async () => {
    expect(await printed({})).toBe(`\
id\teth-main-1
name\tMainnet 1
network\tmainnet
paused\tfalse
address\t0x70997970c51812dc3a010c7d01b50e0d17dc79c8
custom_rpc_urls\t[{"url":"https://rpc.example.org/***","weight":80}]
policies.gas_price_cap\t${MAX_U128}
policies.min_balance\t1
`);
    expect(await printed({ fields: "policies.gas_price_cap,network" })).toBe(
      `policies.gas_price_cap\t${MAX_U128}\nnetwork\tmainnet\n`,
    );
  });

  test.each([
    ["json", `{\n  "id": "eth-main-1",\n  "policies": {\n    "gas_price_cap": ${MAX_U128}\n  }\n}\n`],
    ["ndjson", `{"id":"eth-main-1","policies":{"gas_price_cap":${MAX_U128}}}\n`],
    ["yaml", `id: eth-main-1\npolicies:\n  gas_price_cap: ${MAX_U128}\n`],
    ["csv", `policies.gas_price_cap,id\r\n${MAX_U128},eth-main-1\r\n`],
    ["tsv", `${MAX_U128}\teth-main-1\n`],
  ] as const)("prints the selected fields in %s", async (format, text) => {
    expect(await printed({ format, fields: "policies.gas_price_cap,id" })).toBe(text);
  });

  test("prints the documented columns in tsv and csv", async () => {
    const row = `eth-main-1\tMainnet 1\tfalse\t${MAX_U128}\t0x70997970c51812dc3a010c7d01b50e0d17dc79c8\n`;
    expect(await printed({ format: "tsv" })).toBe(row);
    expect(await printed({ format: "csv", headers: false })).toBe(row.replaceAll("\t", ",").replace("\n", "\r\n"));
  });

  test("prints no control characters in JSON on a terminal", async () => {
    const recording = recordingPrinter(80);
    const value = { id: "r1\u202e" };
    await renderView(
      { kind: "one", resource: relayerView, value, body: new Uint8Array() },
      { format: "ndjson" },
      recording.out,
    );
    expect(recording.stdout()).toBe('{"id":"r1\\u202e"}\n');
  });

  test("prints its ID with -o name, and the raw body with -o raw", async () => {
    expect(await printed({ format: "name" })).toBe("eth-main-1\n");
    expect(await printed({ format: "raw" })).toBe('{"data":1}');
  });

  test("can be queried as an object", async () => {
    expect(await printed({ query: "policies.gas_price_cap" })).toBe(`${MAX_U128}\n`);
    expect(await printed({ query: "{cap: policies.gas_price_cap, id: id}" })).toBe(
      `cap\t${MAX_U128}\nid\teth-main-1\n`,
    );
    expect(await printed({ query: "id" }, 80)).toBe('"eth-main-1"\n');
    expect(await printed({ query: "custom_rpc_urls[0]", format: "json" })).toBe(
      '{\n  "url": "https://rpc.example.org/***",\n  "weight": 80\n}\n',
    );
  });
});

describe("facts", () => {
  const status: JsonValue = { context: "default", server: "https://relayer.example.org", ok: true };
  const contexts: JsonValue = [
    { name: "prod", server: "https://a.example.org", current: true },
    { name: "test", server: "https://b.example.org" },
  ];

  async function printed(value: JsonValue, options: OutputOptions, columns?: number): Promise<string> {
    const recording = recordingPrinter(columns);
    const lines = [{ label: "context", value: { text: "default" } }];
    await renderView({ kind: "facts", lines, value }, options, recording.out);
    return recording.stdout();
  }

  test("prints its lines on a terminal", async () => {
    expect(await printed(status, {}, 80)).toBe("context    default\n");
    expect(await printed(status, { format: "table" })).toBe("context    default\n");
  });

  test("prints keys and values to a pipe, or rows for a list", async () => {
    expect(await printed(status, {})).toBe("context\tdefault\nserver\thttps://relayer.example.org\nok\ttrue\n");
    expect(await printed(contexts, {})).toBe("prod\thttps://a.example.org\ttrue\ntest\thttps://b.example.org\t\n");
  });

  test.each([
    ["json", '{\n  "context": "default",\n  "server": "https://relayer.example.org",\n  "ok": true\n}\n'],
    ["yaml", "context: default\nserver: https://relayer.example.org\nok: true\n"],
    ["csv", "context,server,ok\r\ndefault,https://relayer.example.org,true\r\n"],
  ] as const)("prints its value in %s", async (format, text) => expect(await printed(status, { format })).toBe(text));

  test("prints the names of its items with -o name", async () =>
    expect(await printed(contexts, { format: "name" })).toBe("prod\ntest\n"));

  test("prints JSON with -o raw, since there is no response", async () =>
    expect(await printed(true, { format: "raw" })).toBe("true\n"));

  test("can be queried", async () => expect(await printed(contexts, { query: "[?current].name" })).toBe("prod\n"));
});

describe("a body", () => {
  const REPLY = `{"data":[{"id":"r1","custom_rpc_urls":[{"url":"https://rpc.example.org/key"}],"cap":${MAX_U128}}]}`;

  async function printed(
    body: string | Uint8Array,
    { query, columns, color }: { query?: string; columns?: number; color?: boolean } = {},
  ) {
    const recording = recordingPrinter(columns, color);
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    await renderView({ kind: "body", body: bytes }, { query }, recording.out);
    return recording;
  }

  test("keeps every byte in a pipe, including bytes that are not text", async () => {
    const body = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect((await printed(body)).bytes()).toEqual(body);
  });

  test("is escaped on a terminal, keeps line breaks and tabs, and ends in a line break", async () => {
    expect((await printed("a\n\tb\u001b]52;c;x\u0007\u202e", { columns: 80 })).stdout()).toBe(
      "a\n\tb\\u{1b}]52;c;x\\u{7}\\u{202e}\n",
    );
    expect((await printed("a\n", { columns: 80 })).stdout()).toBe("a\n");
    expect((await printed("", { columns: 80 })).stdout()).toBe("");
  });

  test("is colored on a terminal if it is JSON, and is the same text without the colors", async () => {
    const text = '{"a": "x\u202e", "n":340282366920938463463374607431768211455, "z":null}';
    const colored = (await printed(text, { columns: 80, color: true })).stdout();
    expect(colored).toContain("\u001b[33m340282366920938463463374607431768211455\u001b[39m");
    expect(colored.replaceAll(/\u001b\[\d+m/g, "")).toBe(`${text.replace("\u202e", "\\u{202e}")}\n`);
  });

  test("is never colored if it is not JSON, in a pipe, or without color", async () => {
    expect((await printed("up 1 true", { columns: 80, color: true })).stdout()).toBe("up 1 true\n");
    expect((await printed(REPLY, { color: true })).stdout()).toBe(REPLY);
    expect((await printed(REPLY, { columns: 80 })).stdout()).toBe(`${REPLY}\n`);
  });

  test("can be queried, with masked RPC URLs", async () => {
    expect((await printed(REPLY, { query: "data[0].cap" })).stdout()).toBe(`${MAX_U128}\n`);
    expect((await printed(REPLY, { query: "data[].custom_rpc_urls[].url" })).stdout()).toBe(
      "https://rpc.example.org/***\n",
    );
  });

  test("cannot be queried if the response is not JSON, and the error does not quote the response", async () => {
    const asked = printed("<html>secret</html>", { query: "data" });
    await expect(asked).rejects.toMatchObject({
      failure: "server",
      message: "the response is not JSON, so --query cannot read it: expected a value at line 1 column 1",
    });
  });
});

describe("a row", () => {
  test("writes the ID on one line", () => {
    expect(rowNameLine({ id: "eth-main-1", name: "Mainnet" })).toBe("eth-main-1\n");
    expect(rowNameLine({ id: "a\nb" })).toBe("a\\nb\n");
  });
});
