import { unmasked } from "../../src/contract/secret-fields.ts";
import { renderView } from "../../src/terminal/render.ts";
import { createOutput } from "../../src/terminal/streams/output.ts";
import { recordingPrinter } from "./recording-printer.ts";

async function printed(text: string, columns?: number): Promise<string> {
  const recording = recordingPrinter(columns);
  await renderView({ kind: "text", text }, { format: "json" }, recording.out);
  return recording.stdout();
}

test("a text result is printed unchanged with a line break in every format", async () => {
  expect(await printed("PATCH /api/v1/relayers/r1\n")).toBe("PATCH /api/v1/relayers/r1\n");
  expect(await printed("curl 'x\u001b'")).toBe("curl 'x\u001b'\n");
  expect(await printed("curl 'x\u001b'", 80)).toBe("curl 'x\\u{1b}'\n");
});

test("a secret result is revealed, and any other text is redacted", async () => {
  const written: unknown[] = [];
  const write = (chunk: unknown, done: () => void) => {
    written.push(chunk);
    done();
  };
  const stdout = createOutput(
    "stdout",
    { isTerminal: false, open: () => ({ write, on: () => undefined }) },
    { redact: (text) => unmasked(text.replaceAll("hunter2", "[token]")), mayOccurIn: () => true },
  );
  const out = { ...recordingPrinter().out, stdout };
  await renderView({ kind: "text", text: "hunter2", secret: true }, {}, out);
  await renderView({ kind: "text", text: "hunter2" }, {}, out);
  expect(written).toEqual(["hunter2\n", "[token]\n"]);
});

test("an empty result prints nothing", async () => {
  const recording = recordingPrinter();
  await renderView({ kind: "nothing" }, {}, recording.out);
  expect(recording.writes()).toBe(0);
});
