import { statSync } from "node:fs";
import { intent } from "./entries.ts";
import { opened } from "./opened.ts";

test("is the same for the same secret in one journal, and different in another", async () => {
  const world = opened();
  const mark = await world.journal.fingerprint("key-1");
  expect(mark).toMatch(/^hmac:[0-9a-f]{16}$/);
  expect(await world.reopen().fingerprint("key-1")).toBe(mark);
  expect(await world.journal.fingerprint("key-2")).not.toBe(mark);
  expect(await opened().journal.fingerprint("key-1")).not.toBe(mark);
});

test("several processes create one salt, readable by its owner only", async () => {
  const world = opened();
  const marks = await Promise.all([1, 2, 3, 4].map(() => world.reopen().fingerprint("key-1")));
  expect(new Set(marks).size).toBe(1);
  expect(world.read("salt")).toMatch(/^[0-9a-f]{64}\n$/);
  expect(statSync(world.file("salt")).mode & 0o777).toBe(0o600);
});

test("rejects a damaged salt, which does not keep entries from being written", async () => {
  const world = opened();
  await world.journal.append(intent("w1"));
  world.write(["damaged"], "salt");
  const error = { failure: "usage", message: `${world.file("salt")}: is damaged; restore it, or remove it` };
  await expect(world.journal.fingerprint("key-1")).rejects.toMatchObject(error);
  await world.journal.append(intent("w2"));
  expect(world.lines()).toHaveLength(2);
});
