import fc from "fast-check";
import { toolsFor } from "../../../src/commands/mcp/tools.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { runs } from "../../helpers/deep.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { CANARY_DATA } from "../../helpers/scan.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { SERVER, TOKEN, type World } from "../../helpers/test-app.ts";
import { request, STATELESS, serve } from "./sessions.ts";

const HOSTILE = [
  ...["", "-", "--", "--yes", "--server=http://evil.example", "-c", "-ojson", "@treasury", "@", "../../etc/passwd"],
  ...[
    "/etc/passwd",
    "file:///etc/passwd",
    "$(reboot)",
    "`id`",
    "; rm -rf /",
    "a\u0000b",
    "\u001b[2J",
    "\u202e",
    "\ud800",
  ],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "eth-main-1",
    "base-hot",
    "missing",
    "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50",
  ],
  ...[
    "10m",
    "24h",
    "1gwei",
    "1e400",
    "-1",
    "0x",
    `0x${"f".repeat(64)}`,
    "gas_price_cap=1wei",
    "REL-NO-CAP",
    "{}",
    "[]",
  ],
  ...["items:0", "items:5", "characters:7", "characters:999999999", "é".repeat(300), "x".repeat(5_000), "fleet.json"],
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  fc.string({ unit: anyCharacter, maxLength: 40 }),
);
const value = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: fc.array(text, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.boolean() },
);

const TOOLS = toolsFor(true);

/** Arguments that mostly have the names of a tool, and words that are allowed. */
const call = fc.constantFrom(...TOOLS).chain(({ name, parameters }) => {
  const typed = Object.entries(parameters).map(([each, { enum: words }]) => [
    each,
    words === undefined ? value : fc.oneof(fc.constantFrom(...words), value),
  ]);
  const model: Record<string, fc.Arbitrary<unknown>> = { ...Object.fromEntries(typed), cursor: value, other: value };
  return fc.record(model, { requiredKeys: [] }).map((given) => ({ name, given }));
});

const method = fc.oneof(
  { weight: 6, arbitrary: call.map(({ name, given }) => ["tools/call", { name, arguments: given }] as const) },
  { weight: 1, arbitrary: fc.tuple(text, fc.dictionary(text, value)) },
);
const id = fc.oneof(fc.integer(), fc.string());
const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(id, method, fc.boolean())
      .map(([number, [name, params], alone]) =>
        JSON.stringify(request(number, name, alone ? { ...params, _meta: STATELESS } : params)),
      ),
  },
  { weight: 1, arbitrary: fc.jsonValue().map((json) => JSON.stringify(json)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 80 }).map((words) => words.replaceAll(/[\r\n]/g, " ")) },
);

/** In a context that is protected, with a secret in the journal's place and a hostile name at the service. */
function world(): World & { proposals: Map<string, string> } {
  return {
    ...{ env: {}, journal: memoryJournal(), store: demoStore(), proposals: new Map() },
    files: { "fleet.json": '{"relayers":[]}', "/etc/passwd": CANARY_DATA },
    config: { version: 1, current: "prod", contexts: { prod: { server: SERVER, token: TOKEN } } },
  };
}

test("no hostile session crashes the server, sends a write, or prints a secret", () =>
  fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 4, maxLength: 4 }), async (lines) => {
      const surroundings = world();
      const ran = await serve(lines, surroundings, "--allow-writes");
      expect([ran.exitCode, ran.stderr]).toEqual([0, ""]);
      expect(ran.writes).toEqual([]);
      expect(surroundings.journal?.entries).toEqual([]);
      expect(ran.stdout).not.toMatch(new RegExp(`${TOKEN}|${CANARY_DATA}`));
      for (const { error, result } of ran.replies) {
        expect(error?.code).not.toBe(-32603);
        if (result?.structuredContent) expect(result.structuredContent.exit_code).not.toBe(1);
      }
      for (const stored of surroundings.proposals.values()) expect(stored).not.toContain("evil.example");
    }),
    runs(20, 500),
  ));
