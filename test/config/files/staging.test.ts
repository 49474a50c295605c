import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openStaging, ReplacedMeanwhile } from "../../../src/config/files/staging.ts";
import { type Masked, unmasked } from "../../../src/contract/secret-fields.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function target(): string {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, "old");
  return path;
}

test("replaces the text of a file", async () => {
  const path = target();
  const staging = await openStaging(path, "one");
  await staging.commit(unmasked("new"), writeFileSync);
  await staging.remove();
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(readdirSync(dirname(path))).toEqual(["file"]);
});

test("detects a truncated write, as on a full disk", async () => {
  const path = target();
  const staging = await openStaging(path, "one");
  const short = (file: string, text: string) => writeFileSync(file, text.slice(0, -1));
  await expect(staging.commit(unmasked("new"), short)).rejects.toMatchObject({ failure: "io" });
  expect(readFileSync(path, "utf8")).toBe("old");
});

/** Pieces that are others when they are read again, as if the disk had not kept them. */
function pieces(...readings: readonly string[][]): Iterable<Masked<string>> {
  let reading = 0;
  return { [Symbol.iterator]: () => (readings[reading++] ?? []).map(unmasked<string>).values() };
}

test("writes the pieces of a text", async () => {
  const path = target();
  const staging = await openStaging(path, "one");
  await staging.commit(pieces(["né", "", "w"], ["né", "", "w"]), writeFileSync);
  expect(readFileSync(path, "utf8")).toBe("néw");
});

test.each([
  ["is missing", ["new", "er"]],
  ["is added", ["ne"]],
  ["differs", ["now"]],
])("detects that a part of the pieces %s", async (_, again) => {
  const path = target();
  const staging = await openStaging(path, "one");
  await expect(staging.commit(pieces(["new"], again), writeFileSync)).rejects.toMatchObject({ failure: "io" });
  expect(readFileSync(path, "utf8")).toBe("old");
});

test("rejects the commit of the first of two simultaneous writers", async () => {
  const path = target();
  const first = await openStaging(path, "one");
  const second = await openStaging(path, "two");
  await expect(first.commit(unmasked("first"), writeFileSync)).rejects.toThrow(ReplacedMeanwhile);
  await second.commit(unmasked("second"), writeFileSync);
  expect(readFileSync(path, "utf8")).toBe("second");
});

test("rejects that commit even if its writer recreates the folder, as conf does", async () => {
  const path = target();
  const first = await openStaging(path, "one");
  await openStaging(path, "two");
  const makesFolder = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  await expect(first.commit(unmasked("first"), makesFolder)).rejects.toThrow(ReplacedMeanwhile);
  expect(readFileSync(path, "utf8")).toBe("old");
});

test("keeps the staging folders of other files", async () => {
  const path = target();
  const other = join(dirname(path), ".other.relayctl-one");
  mkdirSync(other);
  await openStaging(path, "two");
  expect(readdirSync(dirname(path)).sort()).toEqual([".file.relayctl-two", ".other.relayctl-one", "file"]);
});
