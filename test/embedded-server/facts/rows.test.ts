import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../docs/documents.ts";
import { titlesIn } from "../../docs/titles-in-source.ts";

const FOLDER = "test/embedded-server/facts";
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

const facts = [...textOf("docs/project/service/facts/measured.md").matchAll(/^### ([0-9]+\.[0-9]+) /gm)].map(
  ([, fact = ""]) => fact,
);

/** What the guide says about each fact in the dialect of the real service. */
const rows = [
  ...textOf("docs/project/measured-behavior.md").matchAll(/^\| ((?:[0-9]+\.[0-9]+(?:, )?)+) \| ([^|]*) \|/gm),
].flatMap(([, listed = "", how = ""]) =>
  listed.split(", ").map((fact) => ({ fact, isPlayed: !how.startsWith("No:") })),
);

/** The facts that the titles of the tests begin with. */
const tested = readdirSync(join(ROOT, FOLDER))
  .flatMap((file) => titlesIn(textOf(`${FOLDER}/${file}`)))
  .flatMap((title) => /^([0-9]+\.[0-9]+): /.exec(title)?.[1] ?? []);

test("the guide of the embedded server lists every measured fact, in order", () => {
  expect(facts.length).toBeGreaterThan(30);
  expect(rows.map(({ fact }) => fact)).toEqual(facts);
});

test("every measured fact that the embedded server plays has a test that cites it", () => {
  const played = rows.filter(({ isPlayed }) => isPlayed).map(({ fact }) => fact);
  expect(played.filter((fact) => !tested.includes(fact))).toEqual([]);
  expect(tested.filter((fact) => !facts.includes(fact))).toEqual([]);
});
