import { expect, test } from "vitest";
import { allCommands } from "../../../src/cli/all-commands.ts";
import { outputShapesOf } from "../../../src/cli/help/output-schemas.ts";
import { membersOf } from "./members.ts";
import { indexOf } from "./readme.ts";
import { SCHEMAS } from "./schemas.ts";
import { unseen, violations } from "./violations.ts";

const PATHS = (await allCommands()).map(([path]) => path);

test.each(Object.entries(SCHEMAS))("docs/schemas/%s.json is up to date", async (name, schema) => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(`../../../docs/schemas/${name}.json`);
});

test("docs/schemas/README.md lists every schema and every command", async () => {
  await expect(indexOf(SCHEMAS, PATHS)).toMatchFileSnapshot("../../../docs/schemas/README.md");
});

test("docs/reference/members.md has the members of every schema", async () => {
  await expect(membersOf(SCHEMAS)).toMatchFileSnapshot("../../../docs/reference/members.md");
});

test("every command has the shapes of its data, and every schema belongs to a command, to help, or to errors", () => {
  const shapes = PATHS.flatMap((path) => outputShapesOf(path).map(({ schema }) => schema));
  expect([...new Set([...shapes, "error", "help"])].sort()).toEqual(Object.keys(SCHEMAS).sort());
  expect(() => outputShapesOf("relayers dance")).toThrow("relayers dance");
});

test("every member of a schema is described in a sentence", () => {
  const undescribed = (value: unknown, at: string): string[] => {
    const { description, properties = {}, items } = value as (typeof SCHEMAS)[string];
    const isDescribed = description !== undefined && /^[A-Z][^\n]*\.$/.test(description);
    return [
      ...(isDescribed ? [] : [`${at}: ${description}`]),
      ...Object.entries(properties).flatMap(([name, member]) => undescribed(member, `${at}.${name}`)),
      ...(items?.properties ? undescribed(items, `${at}[]`) : []),
    ];
  };
  expect(Object.entries(SCHEMAS).flatMap(([name, schema]) => undescribed(schema, name))).toEqual([]);
});

const OF_RELAYCTL = {
  type: "object",
  properties: { id: { type: "string" }, age: { type: ["integer", "null"] }, state: { enum: ["on", "off"] } },
  required: ["id", "age"],
} as const;

test.each([
  ["nothing wrong", { id: "a", age: 1e30, state: "on" }, []],
  ["a missing member", { id: "a" }, [".age"]],
  ["a renamed member", { id: "a", years: 3 }, [".age", ".years"]],
  ["a wrong type", { id: 1, age: "3" }, [".id", ".age"]],
  ["an unknown word", { id: "a", age: null, state: "maybe" }, [".state"]],
  ["an array", [], [""]],
  ["null", null, [""]],
])("a schema finds %s", (_, value, wrong) => {
  expect(violations(OF_RELAYCTL as never, value)).toEqual(wrong);
});

test("a schema keeps further members of the service, unless they must be documented", () => {
  const open = { ...OF_RELAYCTL, additionalProperties: true } as never;
  expect(violations(open, { id: "a", age: 1, later: 2 })).toEqual([]);
  expect(violations(open, { id: "a", age: 1, later: 2 }, { isStrict: true })).toEqual([".later"]);
  expect(unseen(open, [{ id: "a", age: 1 }])).toEqual([".state"]);
});
