import type { OutputOptions } from "../../../src/terminal/output-options.ts";
import { renderView } from "../../../src/terminal/render.ts";
import { recordingPrinter } from "../recording-printer.ts";
import { eth1, MAX_U128, relayerView } from "../sample-relayers.ts";

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
  expect(await printed({ query: "{cap: policies.gas_price_cap, id: id}" })).toBe(`cap\t${MAX_U128}\nid\teth-main-1\n`);
  expect(await printed({ query: "id" }, 80)).toBe('"eth-main-1"\n');
  expect(await printed({ query: "custom_rpc_urls[0]", format: "json" })).toBe(
    '{\n  "url": "https://rpc.example.org/***",\n  "weight": 80\n}\n',
  );
});
