import fc from "fast-check";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  prettyJson,
  writeJson,
} from "../../../src/contract/json.ts";
import { updatedPart } from "../../../src/fleet/export/in-place/update-texts.ts";
import { textParts } from "../../../src/fleet/source/text-parts.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import { runs } from "../../helpers/deep.ts";

type Edit = (value: JsonObject) => JsonObject;

async function rewriteText(source: string, edit: Edit, step = "  "): Promise<string> {
  const root = await textParts(source);
  if (!root || !isJsonObject(root.value)) throw new Error("not an object");
  const newline = source.includes("\r\n") ? "\r\n" : "\n";
  return await updatedPart(root, edit(root.value), { source, newline, step, yaml: yamlText });
}

async function contentOf(text: string): Promise<JsonValue | undefined> {
  return (await textParts(text))?.value;
}

function withValue(value: JsonValue, path: readonly (string | number)[], to: JsonValue | undefined): JsonValue {
  const [head, ...rest] = path;
  if (head === undefined) throw new Error("no path");
  const inner = (value as JsonObject)[head] ?? null;
  const next = rest.length === 0 ? to : withValue(inner, rest, to);
  if (Array.isArray(value)) {
    const copy = [...value];
    copy.splice(Number(head), 1, ...(next === undefined ? [] : [next]));
    return copy;
  }
  const { [head]: _, ...others } = value as JsonObject;
  if (next === undefined) return others;
  return head in (value as JsonObject) ? { ...(value as JsonObject), [head]: next } : { ...others, [head]: next };
}

const at =
  (path: string, to: JsonValue | undefined): Edit =>
  (value) =>
    withValue(
      value,
      path.split(".").map((name) => (/^[0-9]+$/.test(name) ? Number(name) : name)),
      to,
    ) as JsonObject;

const YAML = `# The fleet.
relayers:
  # The one for payouts.
  - id: a # do not rename
    paused: false   # set by the runbook
    policies: {gas_price_cap: 80gwei, whitelist_receivers: [0xaa, 0xbb]}

  -   id: b
      name: |
        Two
        lines
      policies:
        # Raised for the launch.
        gas_price_cap: "90gwei" # until Friday
        whitelist_receivers:
          - 0xaa # treasury
          # payroll
          - 0xbb
        min_balance: 1
signers: []
# The end.
`;

test.each<[string, Edit, string, string]>([
  ["a scalar", at("relayers.0.paused", true), "paused: false   # set", "paused: true   # set"],
  ["a quoted scalar", at("relayers.1.policies.gas_price_cap", "1gwei"), '"90gwei" # until', "1gwei # until"],
  ["a scalar of lines", at("relayers.1.name", "b"), "|\n        Two\n        lines\n", "b\n"],
  ["a member in brackets", at("relayers.0.policies.gas_price_cap", 5), "80gwei,", "5,"],
  ["a removed member in brackets", at("relayers.0.policies.gas_price_cap", undefined), "gas_price_cap: 80gwei, ", ""],
  ["a new member", at("relayers.1.paused", true), "min_balance: 1\n", "min_balance: 1\n      paused: true\n"],
  ["a removed member", at("relayers.1.policies.min_balance", undefined), "        min_balance: 1\n", ""],
  [
    "a removed member with comments",
    at("relayers.1.policies.gas_price_cap", undefined),
    '        # Raised for the launch.\n        gas_price_cap: "90gwei" # until Friday\n',
    "",
  ],
  [
    "a removed item",
    at("relayers.1.policies.whitelist_receivers.1", undefined),
    "          # payroll\n          - 0xbb\n",
    "",
  ],
  [
    "a new item",
    at("relayers.1.policies.whitelist_receivers.2", "0xcc"),
    "          - 0xbb\n",
    '          - 0xbb\n          - "0xcc"\n',
  ],
  [
    "a removed resource",
    at("relayers.0", undefined),
    YAML.slice(YAML.indexOf("  # The one"), YAML.indexOf("  -   id: b")),
    "",
  ],
  [
    "a list that was empty",
    at("signers.0", { id: "s", config: { region: "x" } }),
    "signers: []\n",
    "signers:\n  - id: s\n    config:\n      region: x\n",
  ],
  [
    "a list that becomes empty",
    at("relayers.1.policies.whitelist_receivers", []),
    "whitelist_receivers:\n          - 0xaa # treasury\n          # payroll\n          - 0xbb\n",
    "whitelist_receivers: []\n",
  ],
  [
    "a new resource",
    at("relayers.2", { id: "c", policies: { min_balance: 2 } }),
    "        min_balance: 1\n",
    "        min_balance: 1\n\n  - id: c\n    policies:\n      min_balance: 2\n",
  ],
])("changes %s of YAML, and nothing else", async (_, edit, before, after) => {
  expect(await rewriteText(YAML, edit)).toBe(YAML.replace(before, () => after));
});

const JSON_TEXT = `{
    "relayers": [
        { "id": "a", "paused": false, "policies": {"whitelist_receivers": ["0xaa", "0xbb"], "min_balance": 1} },
        {
            "id": "b",
            "policies": {
                "gas_price_cap": 90000000000,
                "whitelist_receivers": ["0xaa"]
            }
        }
    ],
    "signers": []
}
`;

test.each<[string, Edit, string, string]>([
  ["a scalar", at("relayers.0.paused", true), "false", "true"],
  ["an amount", at("relayers.1.policies.gas_price_cap", 2n ** 128n - 1n), "90000000000", String(2n ** 128n - 1n)],
  ["a removed member", at("relayers.0.paused", undefined), '"paused": false, ', ""],
  [
    "the first member removed",
    at("relayers.1.policies.gas_price_cap", undefined),
    '"gas_price_cap": 90000000000,\n                ',
    "",
  ],
  ["the last member removed", at("relayers.0.policies.min_balance", undefined), ', "min_balance": 1', ""],
  ["a removed item", at("relayers.0.policies.whitelist_receivers.0", undefined), '"0xaa", "0xbb"', '"0xbb"'],
  ["the only item removed", at("relayers.1.policies.whitelist_receivers.0", undefined), '["0xaa"]', "[]"],
  ["a new item", at("relayers.1.policies.whitelist_receivers.1", "0xcc"), '["0xaa"]', '["0xaa", "0xcc"]'],
  [
    "a new member",
    at("relayers.1.paused", true),
    '                "whitelist_receivers": ["0xaa"]\n            }\n',
    '                "whitelist_receivers": ["0xaa"]\n            },\n            "paused": true\n',
  ],
  [
    "a new resource",
    at("relayers.2", { id: "c", policies: { min_balance: 2 } }),
    "            }\n        }\n    ],",
    '            }\n        },\n        {\n            "id": "c",\n            "policies": {\n                "min_balance": 2\n            }\n        }\n    ],',
  ],
  [
    "a list that was empty",
    at("signers.0", { id: "s" }),
    "[]",
    '[\n        {\n            "id": "s"\n        }\n    ]',
  ],
])("changes %s of JSON, and nothing else", async (_, edit, before, after) => {
  const expected = JSON_TEXT.replace(before, () => after);
  expect(await rewriteText(JSON_TEXT, edit, "    ")).toBe(expected);
  expect(parseJson(expected)).toEqual(await contentOf(expected));
  const crlf = (text: string) => text.replaceAll("\n", "\r\n");
  expect(await rewriteText(crlf(JSON_TEXT), edit, "    ")).toBe(crlf(expected));
});

const SCALAR = fc.oneof(
  fc.constantFrom<JsonValue>(
    "yes",
    "null",
    "1e3",
    "0xaa",
    "# no comment",
    "a: b",
    "two\nlines",
    "",
    "-",
    "$" + "{env:X}",
    "\u{1f600}",
    "\u2000",
    "a\u3000",
  ),
  fc.string(),
  fc.boolean(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 128n }),
  fc.nat(),
);

const TREE = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, SCALAR, tie("object"), fc.array(tie("value"), { maxLength: 4 })),
  object: fc.dictionary(fc.constantFrom("id", "a", "b c", "yes", "d:"), tie("value"), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
}));

const WRITTEN: readonly ((value: JsonValue) => Promise<string>)[] = [
  async (value) => `${prettyJson(value)}\n`,
  async (value) => prettyJson(value).replaceAll(/\n */g, " "),
  async (value) => writeJson(value),
  yamlText,
  async (value) => (await yamlText(value)).replaceAll(/^( *)(?=- )/gm, "$1# a comment\n\n$1"),
];

test("keeps a space of Unicode at the end of a text without quotes", async () => {
  const source = "relayers:\n  - name: a\u3000\n    id: one  \n";
  expect(await rewriteText(source, at("relayers.0.paused", true))).toBe(`${source}    paused: true\n`);
  expect(await rewriteText(source, at("relayers.0.name", "b"))).toBe(source.replace("a\u3000", "b"));
});

test("contains the new value after any change of any text", () =>
  fc.assert(
    fc.asyncProperty(
      TREE.object,
      TREE.value,
      fc.nat(),
      fc.nat(),
      fc.constantFrom(...WRITTEN),
      async (tree, to, where, how, write) => {
        const source = await write({ first: 1, ...tree });
        const root = await textParts(source);
        if (!root || !isJsonObject(root.value)) throw new Error("not an object");
        const paths = pathsIn(root.value);
        const path = paths[where % paths.length] ?? [];
        const after = withValue(root.value, path, how % 3 === 0 && paths.length > 1 ? undefined : to);
        if (!isJsonObject(after) || Object.keys(after).length === 0) return;
        const text = await rewriteText(source, () => after);
        expect(await contentOf(text)).toEqual(after);
      },
    ),
    runs(60, 20_000),
  ));

function pathsIn(value: JsonValue): (string | number)[][] {
  if (typeof value !== "object" || value === null || typeof value === "bigint") return [];
  const children: [string | number, JsonValue][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  const names = children.flatMap(([name, child]) => [
    [name],
    ...pathsIn(child as JsonValue).map((path) => [name, ...path]),
  ]);
  return [...names, [Array.isArray(value) ? value.length : "new"]];
}
