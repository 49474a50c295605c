import { writeFileSync } from "node:fs";
import { readFile } from "../../src/config/files/read-file.ts";
import { openWaiting } from "../../src/system.ts";
import { namedPipe } from "./relayctl.ts";

/** In a separate process: in a thread, Node would keep account of the descriptors that a stream closes. */
const world = { interrupt: new AbortController().signal, openWaiting };

test("waits for a pipe to be opened, and reads it to the end", async () => {
  const path = namedPipe();
  const content = readFile(path, 10, world);
  writeFileSync(path, "token");
  expect(Buffer.from(await content).toString()).toBe("token");
});

test("rejects a pipe with more data than the limit", async () => {
  const path = namedPipe();
  const content = readFile(path, 4, world);
  writeFileSync(path, "token");
  await expect(content).rejects.toThrow(`${path}: is larger than 4 bytes`);
});

test("stops reading a pipe without a writer after an interrupt", async () => {
  const interrupt = new AbortController();
  const content = readFile(namedPipe(), 10, { ...world, interrupt: interrupt.signal });
  interrupt.abort("interrupted");
  await expect(content).rejects.toMatchObject({ failure: "usage" });
  await expect(readFile(namedPipe(), 10, { ...world, interrupt: interrupt.signal })).rejects.toThrow("cannot be read");
});
