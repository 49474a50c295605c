import { renderView } from "../../../src/terminal/render.ts";
import { recordingPrinter } from "../recording-printer.ts";
import { MAX_U128 } from "../sample-relayers.ts";

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
