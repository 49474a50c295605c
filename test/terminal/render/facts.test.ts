import type { JsonValue } from "../../../src/contract/json.ts";
import type { OutputOptions } from "../../../src/terminal/output-options.ts";
import { renderView } from "../../../src/terminal/render.ts";
import { recordingPrinter } from "../recording-printer.ts";

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
