import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { intent, outcome } from "./entries.ts";
import { all, appendEach, MONTH, opened } from "./opened.ts";

const tornIn = (path: string) => readdirSync(path).filter((name) => name.startsWith("torn-"));

test("adopts the lines of a process that was killed before it wrote the head", async () => {
  const world = opened();
  await world.journal.append(intent("w1"));
  const before = world.read("head.json").trimEnd();
  await appendEach(world.journal, [outcome("w1"), intent("w2")]);
  world.write([before], "head.json");
  expect((await all(world.reopen())).map(({ id }) => id)).toEqual(["w2", "w1", "w1"]);
  expect(await world.journal.find("w2")).toEqual([intent("w2")]);
  await world.reopen().append(outcome("w2"));
  expect(await world.journal.verify()).toEqual({ files: 1, lines: 4 });
  expect(world.head().files[MONTH].lines).toBe(4);
});

test.each([
  ["without a line break", '{"v":1,"prev":"00'],
  ["whose JSON is incomplete", '{"v":1,"prev":"00\n'],
  ["of zeros, as after a power cut", "\0".repeat(5000)],
  ["longer than any line", `{"v":1,${" ".repeat(3 * 2 ** 20)}`],
])("moves a torn last line %s to a separate private file", async (_, torn) => {
  const world = opened();
  await world.journal.append(intent("w1"));
  for (const id of ["w2", "w3"]) {
    world.add(torn);
    await world.reopen().append(intent(id));
  }
  expect(world.lines().map((line) => JSON.parse(line).id)).toEqual(["w1", "w2", "w3"]);
  expect(await world.journal.verify()).toEqual({ files: 1, lines: 3 });
  expect(tornIn(world.path)).toEqual([`torn-${MONTH}-1`, `torn-${MONTH}-2`]);
  for (const name of tornIn(world.path)) {
    expect(readFileSync(join(world.path, name), "utf8")).toBe(torn);
    expect(statSync(join(world.path, name)).mode & 0o777).toBe(0o600);
  }
});

test("never cuts off a line of a file that was changed, whatever its length is", async () => {
  for (const words of ["--no-paused", "-p", `${"x".repeat(700)}`]) {
    const world = opened();
    await appendEach(world.journal, [intent("w1"), intent("w2"), intent("w3")]);
    world.write(world.lines().map((line, index) => (index === 0 ? line.replace("--paused", words) : line)));
    await world.reopen().append(intent("w4"));
    expect(world.lines().map((line) => JSON.parse(line).id)).toEqual(["w1", "w2", "w3", "w4"]);
    expect(tornIn(world.path)).toEqual([]);
    expect((await world.journal.verify()).fault).toMatchObject({ line: 1, what: "changed" });
  }
});

test("removes the staged heads of killed processes", async () => {
  const world = opened();
  await world.journal.append(intent("w1"));
  world.write(["{"], ".head.json.0000");
  await world.reopen().append(intent("w2"));
  expect(readdirSync(world.path)).not.toContain(".head.json.0000");
});
