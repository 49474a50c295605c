import fc from "fast-check";
import { markdownHtmlCode, markdownText, planMarkdown, tableCode } from "../../../src/commands/fleet/plan/markdown.ts";
import type { Plan } from "../../../src/fleet/plan.ts";
import { changeOf, EMPTY_PLAN, FULL_PLAN, RELAYERS } from "./plans.ts";

const UNITS = { relayers: RELAYERS, symbols: new Map([["mainnet", "ETH"]]) };

test("a plan is a table for each resource", () =>
  expect(planMarkdown(FULL_PLAN, UNITS)).toMatchFileSnapshot("screens/full-markdown.txt"));

test("without differences it says so", () =>
  expect(planMarkdown(EMPTY_PLAN, UNITS)).toBe(
    "### No changes\n\nCompared `config.json` with `https://relayer.example.org`. 12 unchanged.\n\n",
  ));

describe("text of a service or a file", () => {
  const HOSTILE = [
    "`` `a` ``",
    "a | b",
    "\\|",
    "a\\",
    "</code></summary></details><script>alert(1)</script>",
    "@everyone",
    "#1 GH-1 www.example.com https://example.com :tada:",
    "line\n\n# heading\n::error::x",
    "<!-- -->",
    "![x](https://example.com/x.png)",
    "***bold*** _x_ ~~y~~",
    "\u202e\u001b[31m",
  ];

  test.each(HOSTILE)("is code: %j", (text) => {
    const plan = planWith(text);
    expectHarmless(planMarkdown(plan, UNITS));
  });

  test("is code, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (text) => {
        expectHarmless(planMarkdown(planWith(text), UNITS));
        expect(markdownHtmlCode(text)).toMatch(/^<code>(?:[A-Za-z0-9 ,-]|&#\d+;)*<\/code>$/);
      }),
    );
  });

  test("is prose only if nothing in it has a meaning", () => {
    expect(markdownText("gas_price_cap falls to a thousandth: 80 gwei → 1 gwei")).not.toContain("`");
    for (const text of [...HOSTILE, "_a_", "GH-12", "see WWW.example", ":tada:"])
      expect(markdownText(text)).toBe(tableCode(text));
  });
});

test("a long plan stays within the limit of a comment, and says how much is missing", () => {
  const changes = Array.from({ length: 2000 }, (_, at) =>
    changeOf({ id: `relayer-${at}`, members: [{ path: "name", before: "a".repeat(50), after: "b".repeat(50) }] }),
  );
  const text = planMarkdown({ ...EMPTY_PLAN, changes }, UNITS);
  expect(text.length).toBeLessThanOrEqual(65_536);
  expect(text.length).toBeGreaterThan(60_000);
  const shown = text.match(/<details>/g)?.length ?? 0;
  expect(text).toContain(`**${(2000 - shown).toLocaleString("en")} of 2,000 parts were left out,`);
  expect(text.match(/<\/details>/g)).toHaveLength(shown);
});

test("one huge member is shortened", () => {
  const addresses = Array.from({ length: 5000 }, (_, at) => `0x${String(at).padStart(40, "0")}`);
  const members = [
    { path: "policies.whitelist_receivers", before: null, after: addresses },
    { path: "name", before: "x".repeat(1_000_000), after: null },
  ];
  const text = planMarkdown({ ...EMPTY_PLAN, changes: [changeOf({ members })] }, UNITS);
  expect(text.length).toBeLessThan(10_000);
  expect(text).toContain("… 4,950 more");
});

function planWith(text: string): Plan {
  return {
    ...EMPTY_PLAN,
    server: text,
    files: [text],
    changes: [changeOf({ id: text, members: [{ path: text, before: text, after: [text] }], effects: [text] })],
    cannot: [{ noun: "signers", id: text, path: text, before: text, after: text, at: text, reason: text }],
    not_compared: [{ noun: "signers", id: text, path: text, reason: text }],
    outside: [{ noun: "plugins", id: text, reason: text }],
    unmanaged: [{ noun: "signers", id: text }],
  };
}

/** Removes what is code, as GitHub reads it; the rest has to be ours. */
function expectHarmless(markdown: string): void {
  for (const line of markdown.split("\n")) {
    const rest = line
      .replaceAll(/<code>(?:[A-Za-z0-9 ,-]|&#\d+;)*<\/code>/g, "X")
      .replaceAll(/`[^`|\\]+`/g, "X")
      .replaceAll(/<\/?(?:details(?: open)?|summary|b|br)>/g, "");
    expect(rest).toMatch(/^[A-Za-z0-9 ,.;:()'%→✗–…#*|+~_-]*$/);
    if (rest.includes("|")) expect(rest).toMatch(/^\|(?: [^|]* \|)+$/);
  }
}
