import { describe, expect, test } from "vitest";
import { cli } from "../../helpers/cli.ts";
import { SCHEMAS, violations } from "./schemas.ts";

test.each(Object.entries(SCHEMAS))("docs/schemas/%s.json is up to date", async (name, schema) => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(`../../../docs/schemas/${name}.json`);
});

async function printed(line: string): Promise<unknown> {
  const { exitCode, stdout } = await cli(line);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

describe("the schemas match what is printed by", () => {
  test.each([
    ["relayer", "relayers list -o json"],
    ["network", "networks list -o json"],
    ["notification", "notifications list -o json"],
    ["plugin", "plugins list -o json"],
  ])("%s: %s", async (name, line) => {
    const items = await printed(line);
    expect(items).not.toEqual([]);
    expect(violations({ type: "array", items: SCHEMAS[name] ?? {} }, items)).toEqual([]);
  });

  test.each([
    ["relayer", "relayers get xlm-pay -o json"],
    ["relayer", "relayers pause eth-main-1 -o json"],
    ["notification", "notifications get ops-hook -o json"],
  ])("%s: %s", async (name, line) => {
    expect(violations(SCHEMAS[name] ?? {}, await printed(line))).toEqual([]);
  });

  test.each([
    "relayers get nothing -o json",
    "relayers pause eth-sepolia nothing -o json --yes",
    "relayers list --where a --where b -o ndjson",
    "tx send eth-main-1 --to 0x12 --value 1 -o json",
    "relayers delete eth-main-1 -o json",
  ])("error: %s", async (line) => {
    const { stderr } = await cli(line);
    expect(violations(SCHEMAS.error ?? {}, JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? ""))).toEqual([]);
  });
});

test("a schema finds a missing member, a wrong type, and an unknown word", () => {
  expect(violations(SCHEMAS.relayer ?? {}, { name: 1, paused: null })).toEqual([".id", ".name"]);
  expect(violations(SCHEMAS.error ?? {}, { error: { code: "nope" } })).toContain(".error.code");
});
