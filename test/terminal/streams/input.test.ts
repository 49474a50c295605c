import { Readable } from "node:stream";
import { createInput } from "../../../src/terminal/streams/input.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test("is read to the end", async () => {
  expect(text(await createInput(Readable.from(["a", new TextEncoder().encode("ü"), "c"])).read(10))).toBe("aüc");
  expect(await createInput(Readable.from([])).read(10)).toHaveLength(0);
});

test("is rejected above the limit in bytes", async () => {
  expect(text(await createInput(Readable.from(["üü"])).read(4))).toBe("üü");
  await expect(createInput(Readable.from(["üü", "x"])).read(4)).rejects.toThrow("stdin: has more than 4 bytes");
});

test("reports a read error with the error code only", async () => {
  const broken = new Readable({
    read() {
      this.destroy(Object.assign(new Error("secret"), { code: "EISDIR" }));
    },
  });
  await expect(createInput(broken).read(4)).rejects.toMatchObject({
    failure: "usage",
    message: "stdin: could not be read: EISDIR",
  });
});

test("may be a terminal, unless the caller refuses terminals", async () => {
  const terminal = () => Object.assign(Readable.from(["typed"]), { isTTY: true });
  expect(createInput(terminal()).isTerminal).toBe(true);
  expect(text(await createInput(terminal()).read(10))).toBe("typed");
  await expect(createInput(terminal(), { refuseTerminal: true }).read(10)).rejects.toThrow(
    "stdin: is a terminal; specify a file, or pipe the input",
  );
});
