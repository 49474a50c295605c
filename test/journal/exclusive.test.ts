import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { realSurroundings } from "../config/surroundings.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";
import { opened } from "./opened.ts";

test("work for one key runs one after the other, and leaves no lock", async () => {
  const { journal, path, reopen } = opened();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`${name} ends`);
    return name;
  };
  const names = await Promise.all([journal.exclusively("k", work("a")), reopen().exclusively("k", work("b"))]);
  expect(names).toEqual(["a", "b"]);
  const [first = "", , third = ""] = seen;
  expect(seen).toEqual([first, first.replace("begins", "ends"), third, third.replace("begins", "ends")]);
  expect(readdirSync(path)).toEqual([]);
});

test("work for different keys runs at the same time", async () => {
  const { journal } = opened();
  const inner = () => journal.exclusively("other", async () => "done");
  expect(await journal.exclusively("key", inner)).toBe("done");
});

test("an error of the work is passed on, and frees the key", async () => {
  const { journal } = opened();
  await expect(journal.exclusively("k", () => Promise.reject(new Error("work")))).rejects.toThrow("work");
  expect(await journal.exclusively("k", async () => 7)).toBe(7);
});

test("the lock of a key keeps the folder private", async () => {
  const { journal, path } = opened();
  await journal.exclusively("k", async () => expect(statSync(path).mode & 0o777).toBe(0o700));
});

test("a folder that cannot be created is an io error", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  const { journal } = opened(join(folder, "file", "journal"));
  await expect(journal.exclusively("k", async () => 7)).rejects.toMatchObject({ failure: "io" });
});

test("a key that another process keeps for long ends with a conflict", async () => {
  const real = realSurroundings();
  let elapsed = 0;
  const clock = {
    elapsed: () => elapsed,
    async sleep(milliseconds: number) {
      elapsed += milliseconds;
    },
  };
  const { journal, path } = opened(undefined, { surroundings: { ...real, clock } });
  const other = opened(path).journal;
  await other.exclusively("k", async () => {
    await expect(journal.exclusively("k", async () => 7)).rejects.toMatchObject({ failure: "conflict" });
  });
});
