import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn, ROOT } from "./documents.ts";
import { computed, LIMITS, UNLISTED, valueAt } from "./limits/rows.ts";

const HEAD = `# Limits

Every bound that you can meet: times, sizes, and counts. Most of them are far beyond ordinary use, and protect you from a service, a node, or a
file that never ends. If a row has a flag, its limit is a default. If
Node.js gets little memory, the limits of responses and lists are lower. You set limits for each payment and each day in a
[context](configuration.md#limits-for-transactions).

\`npm run limits\` writes this page from the constants in the source; a test fails when it is stale.
`;

test("docs/reference/limits.md is up to date (npm run limits writes it)", async () => {
  const groups = Object.entries(LIMITS).map(([subject, rows]) => {
    const lines = rows.map(([what, unit, place, flag]) =>
      ["", what, unit(valueAt(place)), flag ? `\`${flag}\`` : "", ""].join(" | ").trim(),
    );
    return [`## ${subject}`, "", "| What | Limit | Flag |", "|---|---|---|", ...lines, ""].join("\n");
  });
  await expect(`${[HEAD, ...groups].join("\n").trimEnd()}\n`).toMatchFileSnapshot("../../docs/reference/limits.md");
});

test("every bound of the source is on the page, or is listed as one that no user meets", () => {
  const bounds = filesIn("src", ".ts").flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const names = file === "src/timing.ts" ? "[A-Z_]+" : "(?:MAX|LARGEST)_[A-Z_]+";
    const found = text.matchAll(new RegExp(`^(?:export )?const (${names})(?:: \\w+)? = [0-9]`, "gm"));
    return [...found].map(([, name]) => `${file.slice("src/".length, -".ts".length)} ${name}`);
  });
  const placed = Object.values(LIMITS).flatMap((rows) => rows.map(([, , place]) => place.replace(/\..*/, "")));
  expect(bounds.filter((bound) => !placed.includes(bound)).sort()).toEqual([...UNLISTED].sort());
});

test("every row is of a number in the source", () => {
  const places = Object.values(LIMITS).flatMap((rows) => rows.map(([, , place]) => place));
  expect(places.filter((place) => !(valueAt(place) > 0))).toEqual([]);
  expect(computed("64 * 2 ** 20")).toBe(67_108_864);
});
