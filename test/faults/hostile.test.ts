import { sampled } from "../helpers/deep.ts";
import { exited } from "../helpers/exited.ts";
import { reply } from "../helpers/service/reply.ts";
import { against, answered, EVM, GET, LIST, PAUSE, send, sendReply, success } from "./answered.ts";
import { headText, rawReply } from "./server/reply.ts";
import type { Step } from "./server/script.ts";

const MIB = 2 ** 20;

describe("a response that is too large", () => {
  const chunked = headText(200, { "content-type": "application/json", "transfer-encoding": "chunked" });

  function body(bytes: number): Step[] {
    return [send(`${chunked}${bytes.toString(16)}\r\n`), { do: "flood", text: " ", bytes }, send("\r\n0\r\n\r\n")];
  }

  test("is rejected above 8 MiB for one resource", async () => {
    const { exitCode, stderr } = await answered(body(9 * MIB), ...GET);
    expect(stderr).toContain("the response is larger than 8 MiB");
    expect(exitCode).toBe(9);
  });

  test("is rejected above 64 MiB for a list", async () => {
    const { exitCode, stderr } = await answered(body(65 * MIB), ...LIST);
    expect(stderr).toContain("the response is larger than 64 MiB");
    expect(exitCode).toBe(9);
  });

  test("is accepted up to the limit", async () => {
    const filler = " ".repeat(7 * MIB);
    await exited(0, answered([sendReply(JSON.stringify({ success: true, data: EVM }) + filler)], ...GET));
  });

  test("leaves the outcome of a write unknown", async () => {
    const { exitCode, stderr } = await against([{ match: { method: "PATCH" }, steps: body(9 * MIB) }], PAUSE);
    expect(stderr).toContain("the service accepted it (status 200), details are unknown");
    expect(exitCode).toBe(11);
  });
});

test.each(
  sampled(
    [
      ["millions of values", `{"success":true,"data":[${"{},".repeat(2.5 * MIB)}{}]}`],
      ["millions of lines", "\n".repeat(8 * MIB - 1)],
      ["a million levels", "[".repeat(MIB)],
      ["a number of a million digits", `{"success":true,"data":{"id":"evm-1","n":${"1".repeat(MIB)}}}`],
      ["an error that looks like the start of many URLs", JSON.stringify({ success: false, error: "a.".repeat(MIB) })],
      ["a text that looks like the start of many URLs", "a.".repeat(MIB)],
      ["a million quotes", JSON.stringify({ success: true, data: { id: "evm-1", name: '"\\'.repeat(MIB / 2) } })],
    ],
    2,
  ),
)("an expensive response is processed quickly: %s", async (_, body) => {
  for (const status of sampled([200, 400], 2, body.length)) {
    const { exitCode, stderr } = await answered([sendReply(body, status)], ...GET);
    expect([0, 7, 9]).toContain(exitCode);
    expect(stderr.length).toBeLessThan(2000);
  }
});

test.each([
  ["HTML", "<html><head><script>alert(1)</script></head><body><h1>Sign in</h1></body></html>"],
  ["text", "upstream\nconnect\r\nerror ".repeat(1000)],
])("a foreign response is reported in one line: %s", async (_, body) => {
  for (const status of [200, 400, 502]) {
    const { stderr, stdout } = await answered([sendReply(body, status)], ...GET);
    const lines = stderr.trimEnd().split("\n");
    expect(lines[0]?.length).toBeLessThan(600);
    expect(stderr).not.toContain("<script>");
    expect(stdout).toBe("");
  }
});

test("a member with the name __proto__ is plain data", async () => {
  const data = '{"id":"evm-1","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
  const { stdout } = await exited(0, answered([sendReply(`{"success":true,"data":${data}}`)], ...GET, "-o", "json"));
  expect(stdout).toContain('"__proto__"');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  for (const format of ["table", "yaml", "tsv", "csv"])
    expect((await answered([sendReply(`{"success":true,"data":${data}}`)], ...GET, "-o", format)).exitCode).toBe(0);
});

describe("a response for another resource", () => {
  test("is rejected for a read", () =>
    exited({ exitCode: 9, stdout: "" }, answered([success({ ...EVM, id: "evm-2" })], ...GET, "-o", "json")));

  test("leaves the outcome of a write unknown", async () => {
    const { stderr } = await exited(
      14,
      answered([success({ ...EVM, id: "evm-2", paused: true })], ...PAUSE, "-o", "json"),
    );
    expect(JSON.parse(stderr).error).toMatchObject({ applied: "unknown" });
  });
});

test("escape sequences in response headers are never printed", async () => {
  const steps = [
    send(
      rawReply(
        reply(302, "", {
          location: "http://user:pass@evil.example/\u001b]0;x\u0007",
          "x-request-id": "\u001b[31m",
        }),
      ),
    ),
  ];
  const { stderr, stdout } = await answered(steps, ...PAUSE, "-v");
  expect(stdout + stderr).not.toContain("\u001b");
  expect(stdout + stderr).not.toContain("user:pass");
});
