import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keptIds, keptText, removeOldIds } from "../../src/completion/kept-ids.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";
import { CANARY_TOKEN, secretsIn } from "../helpers/scan.ts";

const ids = [{ word: "eth main", summary: "mainnet, active" }, { word: "base" }];
const now = Date.parse("2026-11-21T03:00:00Z");
const token = CANARY_TOKEN;
const text = await keptText(ids, "salt", { now, token });

test.each([0, 59_999])("IDs are reused after %i ms", async (age) =>
  expect(await keptIds(text, { now: now + age, token })).toEqual(ids),
);

test.each([60_000, -1])("IDs are not reused after %i ms, since a clock may have been set back", async (age) =>
  expect(await keptIds(text, { now: now + age, token })).toBeUndefined(),
);

test("IDs are hidden from another token, and the text contains no token", async () => {
  expect(await keptIds(text, { now, token: "another" })).toBeUndefined();
  expect(await keptIds(text, { now, token: undefined })).toBeUndefined();
  expect(secretsIn(text)).toEqual([]);
});

test("IDs need no token if none is in the environment", async () => {
  const plain = await keptText([], "salt", { now, token: undefined });
  expect(await keptIds(plain, { now, token: undefined })).toEqual([]);
});

test.each([undefined, "", "nonsense", "2\t1\tsalt\tmark\n", text.replace(/^1/, "0"), "\u0000".repeat(100)])(
  "%j is not a valid cache",
  async (text) => expect(await keptIds(text, { now, token })).toBeUndefined(),
);

test("removes files that were not renewed for an hour", async () => {
  const folder = temporaryFolder();
  const now = Date.parse("2026-11-22T12:00:00Z");
  for (const [name, age] of Object.entries({ old: 3_600_001, kept: 3_600_000 })) {
    writeFileSync(join(folder, name), "");
    utimesSync(join(folder, name), new Date(now - age), new Date(now - age));
  }
  await removeOldIds(folder, now);
  expect(readdirSync(folder)).toEqual(["kept"]);
});
