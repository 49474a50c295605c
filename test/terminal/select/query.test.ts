import { parseJson, writeJson } from "../../../src/contract/json.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { parseFields, pickFields } from "../../../src/terminal/select/fields.ts";
import { flatPathValue, leafPaths, leafPathsOfAll, valueAtPath } from "../../../src/terminal/select/path.ts";
import { parseQuery } from "../../../src/terminal/select/query.ts";
import { readSelection, validateOutput } from "../../../src/terminal/select/selection.ts";
import { MAX_U128, relayer, relayerView } from "../sample-relayers.ts";

const LARGE = `[{"id":"a","paused":true,"cap":${MAX_U128},"n":3,"ratio":1.0},{"id":"b","paused":false,"cap":null,"n":9007199254740993}]`;
const SMALL = '[{"id":"a","n":3},{"id":"b","n":5}]';

async function ask(expression: string, json: string): Promise<string> {
  const query = await parseQuery(expression);
  return writeJson(query(parseJson(json)));
}

test.each([
  ["[].cap", `[${MAX_U128}]`],
  ["[0]", `{"id":"a","paused":true,"cap":${MAX_U128},"n":3,"ratio":1.0}`],
  ["[].{id:id,cap:cap}", `[{"id":"a","cap":${MAX_U128}},{"id":"b","cap":null}]`],
  ["[].n", "[3,9007199254740993]"],
  ["[0].ratio", "1.0"],
  ["[?cap].id", '["a"]'],
  ["[?paused].cap", `[${MAX_U128}]`],
  ["[?id=='a'].cap | [0]", MAX_U128],
  ["[?paused==`false`].id", '["b"]'],
  ["[?cap!=`null`].id", '["a"]'],
  ["[?contains(id, 'a')].[id, cap]", `[["a",${MAX_U128}]]`],
  ["map(&cap, @)", `[${MAX_U128},null]`],
  ["values([0])[2]", MAX_U128],
  ["length(@)", "2"],
  ["reverse([].n)", "[9007199254740993,3]"],
  ["[0].cap.digits", "null"],
  ["[0].constructor", "null"],
  ["[[0].cap, [0].cap, [1]]", `[${MAX_U128},${MAX_U128},{"id":"b","paused":false,"cap":null,"n":9007199254740993}]`],
  ["[@[1], @[1]] | [].n", "[9007199254740993,9007199254740993]"],
  ["[0].missing", "null"],
  ["@", LARGE],
])("a query keeps large integers exact: %s", async (expression, result) => {
  expect(await ask(expression, LARGE)).toBe(result);
});

test.each(["@", "[].cap", "[0].{all: @, again: @}", "[]"])("%s leaves the data as it was", async (expression) => {
  const value = parseJson(`[{"id":"a","__proto__":1e400,"more":[1.0,[18446744073709551616]]},${LARGE.slice(1)}`);
  const before = writeJson(value);
  const query = await parseQuery(expression);
  const result = writeJson(query(value));
  expect(writeJson(value)).toBe(before);
  expect(writeJson(query(value))).toBe(result);
});

test("keeps the order of keys that JavaScript would change", async () =>
  expect(await ask("[0]", '[{"b":18446744073709551616,"7":1}]')).toBe('{"b":18446744073709551616,"7":1}'));

test.each([
  "[?cap > `1`]",
  "[?n == `3`]",
  "[?n == cap]",
  "[0].n + [1].n",
  "-[0].n",
  "sum([].n)",
  "avg([].n)",
  "abs([1].n)",
  "contains([].n, [0].n)",
  "max_by(@, &(n + `1`))",
  "[].to_string(cap)",
  "[?paused && n < `5`]",
  "map(&(n > `2`), @)",
  "let $x = [0].n in $x > `1`",
])("a query that compares or computes is rejected if the result has an integer above 2^53: %s", async (expression) => {
  await expect(ask(expression, LARGE)).rejects.toMatchObject({
    failure: "usage",
    message: `--query ${expression}: compares or computes where the result has an integer above 2^53, which JMESPath would round; --where compares exactly`,
  });
});

test("compares and computes if every integer is small", async () => {
  expect(await ask("[?n > `3`].id", SMALL)).toBe('["b"]');
  expect(await ask("sum([].n)", SMALL)).toBe("8");
  expect(await ask("sort_by(@, &n)[-1].id", SMALL)).toBe('"b"');
});

test("a text with a large integer is not converted to a rounded number", async () => {
  await expect(ask("to_number(value)", `{"value":"${MAX_U128}"}`)).rejects.toThrow("which JMESPath rounds");
  expect(await ask("to_number(value)", '{"value":"12"}')).toBe("12");
});

test.each([
  "a * b",
  "to_string(a * b)",
  "a * b / b",
  "a * b == b",
  "a / `0.1`",
  "sum([a, a, b]) > a",
  "join('', map(&to_string(@), [sum([a, a, b])]))",
  "let $x = a in to_string($x * b)",
  "to_string(to_number('9007199254740993'))",
  "avg([a * b, a])",
])("%s is rejected, since a part of it is computed and above 2^53", (expression) =>
  expect(ask(expression, '{"a":9007199254740991,"b":3}')).rejects.toThrow(
    "computes a number beyond 2^53, which JMESPath rounds",
  ),
);

const WEI = "[9000000000000000001,10000000000000000000,-1e30,1.0,-2,0.5]";

test.each([
  ["sort(@)", "[-1e30,-2,0.5,1.0,9000000000000000001,10000000000000000000]"],
  ["max(@)", "10000000000000000000"],
  ["min(@)", "-1e30"],
  ["sort_by([].{n: @}, &n)[].n", "[-1e30,-2,0.5,1.0,9000000000000000001,10000000000000000000]"],
  ["max_by([].{n: @}, &n)", '{"n":10000000000000000000}'],
  ["min_by([].{n: @}, &n).n", "-1e30"],
  ["[].type(@) | [0]", '"number"'],
])("orders large integers and fractions exactly: %s", async (expression, result) =>
  expect(await ask(expression, WEI)).toBe(result),
);

test.each([
  ["sort(@)", "[10,9,-1,-20,0.1]", "[-20,-1,0.1,9,10]"],
  ["sort(@)", '["10","9","-1","b","a","9000000000000000001"]', '["-1","9","10","9000000000000000001","a","b"]'],
  ["sort_by(@, &v)[].v", '[{"v":"10"},{"v":"9"}]', '["9","10"]'],
  ["max(@)", '["10","9"]', '"10"'],
  ["max_by(@, &v).v", '[{"v":"10"},{"v":"9"}]', '"10"'],
  ["max_by(@, &v).v", '[{"v":"b"},{"v":"c"},{"v":"a"}]', '"c"'],
  ["min_by(@, &v).v", '[{"v":"b"},{"v":"a"}]', '"a"'],
  ["max_by(@, &v).i", '[{"v":1,"i":1},{"v":1,"i":2}]', "1"],
  ["max_by(@, &@)", "[0,-1]", "0"],
  ["sort(@)", '["Z","a","\u00e4"]', '["Z","a","\u00e4"]'],
  ["[max(@), min(@), max_by(@, &v), sort(@), sort_by(@, &v)]", "[]", "[null,null,null,[],[]]"],
])(
  "orders numbers as numbers, even in texts, and other texts by code units: %s of %s",
  async (expression, json, result) => expect(await ask(expression, json)).toBe(writeJson(parseJson(result))),
);

test.each([
  ["sort(@)", '[1,"a"]'],
  ["max(@)", '["a",9000000000000000001]'],
  ["sort_by(@, &v)", '[{"v":1},{"v":"a"}]'],
  ["max_by(@, &v)", '[{"v":1},{}]'],
  ["min_by(@, &v)", '[{"v":true}]'],
  ["sum(@)", '[1,"2"]'],
  ["length(@[0])", "[9000000000000000001]"],
  ["keys(@[0])", "[1.0]"],
  ["join(',', @)", '["a",1.0]'],
])("a list of different kinds has no order, and a number is not a text or an object: %s of %s", (expression, json) =>
  expect(ask(expression, json)).rejects.toThrow("Invalid type: "),
);

test.each([
  ["a + b", "0.3"],
  ["a - b", "-0.1"],
  ["a * b", "0.02"],
  ["c - d - d", "0.3"],
  ["c % b", "0.1"],
  ["c // a", "5"],
  ["-c // a", "-5"],
  ["(-d) // b", "-1"],
  ["d / b", "0.5"],
  ["sum([a, b])", "0.3"],
  ["avg([a, b])", "0.15"],
  ["sum([a, b, d]) == `0.4`", "true"],
  ["[?@ == `0.3`] | [0] || `1`", "1"],
  ["to_string(a + b)", '"0.3"'],
  ["to_number('0.30000000000000004')", "0.30000000000000004"],
  ["to_number('')", "null"],
  ["to_number('-1e3')", "-1000"],
  ["[floor(c), ceil(c), abs(-c)]", "[0,1,0.5]"],
])("computes with fractions exactly: %s", async (expression, result) =>
  expect(await ask(expression, '{"a":0.1,"b":0.2,"c":0.5,"d":0.1}')).toBe(result),
);

test.each([
  "avg([`9007199254740991`, `9007199254740990`])",
  "`0.1` + `9007199254740991`",
  "`0.1234567890123` * `0.1234567890123`",
  "to_number('0.12345678901234567890')",
])("%s has no exact result, and is refused", (expression) =>
  expect(ask(expression, "{}")).rejects.toThrow("computes a fraction with more digits than JMESPath keeps"),
);

test.each([
  ["`1` / `3`", 1 / 3],
  ["`10` / `7`", 10 / 7],
  ["-`10` / `7`", -10 / 7],
  ["avg(`[1,1,2]`)", 4 / 3],
  ["avg(`[0.1,0.1,0.2]`)", 0.4 / 3],
  ["`0.1` / `0.3`", 1 / 3],
  ["`1e-300` / `3`", 1e-300 / 3],
])("a quotient that does not end is rounded as JMESPath does: %s", async (expression, result) =>
  expect(await ask(expression, "{}")).toBe(String(result)),
);

test.each([
  ["sum(@)", "[9007199254740991,1,-1]", "9007199254740991"],
  ["sum(@)", "[0.1,9007199254740991,-9007199254740991,0.2]", "0.3"],
  ["avg(@)", "[9007199254740991,9007199254740991,9007199254740991]", "9007199254740991"],
  ["let $x = [0] in avg([$x, `4`, -$x, `0`])", "[9007199254740991]", "1"],
])("only the result of a sum has to be small: %s of %s", async (expression, json, result) =>
  expect(await ask(expression, json)).toBe(result),
);

test.each(["sort(@)", "max(@)", "min(@)", "sort_by([].{n: @}, &n)"])(
  "%s refuses a number too long to order",
  (expression) => expect(ask(expression, "[-1e4000,5]")).rejects.toThrow("orders a number of more than 1000 digits"),
);

test("a scope has the same functions", async () =>
  expect(await ask("map(&(let $n = @ in max($n)), @)", "[[9000000000000000001,1],[10,9]]")).toBe(
    "[9000000000000000001,10]",
  ));

test.each(["max", "min", "sum", "avg", "sort", "length"])("%s takes a list of 200,000 items", async (name) => {
  const query = await parseQuery(`${name}(@)`);
  const numbers = Array.from({ length: 200_000 }, (_, index) => index % 1_000);
  expect(query(numbers)).toEqual(
    {
      ...{ max: 999, min: 0, sum: 99_900_000, avg: 499.5, length: 200_000 },
      sort: [...numbers].sort((one, other) => one - other),
    }[name],
  );
});

test("a text of 200,000 characters is reversed", async () => {
  expect((await ask("length(reverse(@))", JSON.stringify("ab".repeat(100_000)))).length).toBe(6);
  expect(await ask("reverse(@)", '"a\ud83d\ude00b"')).toBe('"b\ud83d\ude00a"'.replace("\ud83d\ude00", "😀"));
});

test("integers whose sum stays small are added, and so are fractions", async () => {
  expect(await ask("sum([a, `-1`])", '{"a":9007199254740991}')).toBe("9007199254740990");
  expect(await ask("[sum(@), avg(@), avg(`[]`)]", "[0.5,2]")).toBe("[2.5,1.25,null]");
});

test("a division by zero is not called a large number", () =>
  expect(ask("n % `0`", '{"n":1}')).rejects.toThrow("--query n % `0`: not-a-number"));

test.each(["pad_left('a', `10001`)", "pad_right('a', `100000000`)", "replace('a', 'a', 'b', `10001`)"])(
  "%s is refused, since a single step would take long",
  (expression) => expect(ask(expression, "{}")).rejects.toThrow("takes too many steps"),
);

test.each(["length(pad_left('a', `10000`))", "length(pad_right('a', `10000`))", "max([`10001`])"])(
  "%s is computed",
  async (expression) => expect(Number(await ask(expression, "{}"))).toBeGreaterThanOrEqual(10_000),
);

test("each item of a long list may take some steps", async () => {
  const query = await parseQuery(`[?${"a||".repeat(44)}a]`);
  expect(query(Array.from({ length: 130_000 }, () => ({})))).toEqual([]);
});

test.each([
  ["$[?", "]", "@"],
  ["$all[?", "]", "let $all = @ in @"],
])("an expression whose steps multiply is refused: %s%s", (start, end, whole) => {
  const nested = whole.replace(/@$/, `${start.repeat(7)}id${end.repeat(7)}`);
  return expect(ask(nested, `[${'{"id":1},'.repeat(19)}{"id":2}]`)).rejects.toThrow("takes too many steps");
});

test.each([
  "n == `9007199254740993`",
  "n < `0.12345678901234567890`",
  "`1e30`",
  '`[1, {"a": 340282366920938463463374607431768211455}]`',
  "`1e400`",
])("the literal in %s is rejected when the query is parsed", async (expression) => {
  await expect(parseQuery(expression)).rejects.toThrow(
    "contains a number that JMESPath would round; --where compares exactly",
  );
});

test.each([
  "n == `1.0`",
  "n < `0.10`",
  "n < `1e3`",
  "n == '0.12345678901234567890'",
  '`"1e30"`',
  "contains('`1e30`', n)",
])("the literal in %s is read, since nothing is rounded", async (expression) =>
  expect(await parseQuery(expression)).toBeInstanceOf(Function),
);

describe("a syntax error contains the column", () => {
  test.each([
    ["[?a=='b'", 9],
    ["a b", 3],
    ["foo[", 5],
    ['x."abc', 3],
    ["a.#", 3],
    ["a + 5", 5],
    ["", 1],
    ["length(@))", 10],
  ])("%s: %d", async (expression, column) => {
    await expect(parseQuery(expression)).rejects.toMatchObject({
      failure: "usage",
      message: `--query ${expression}: invalid JMESPath expression at column ${column}${column > expression.length ? ", where it ends too early" : ""}`,
    });
  });

  test("an unknown or misused function fails with the library's message", async () => {
    await expect(ask("nope(@)", "1")).rejects.toThrow("--query nope(@): Unknown function: nope()");
    await expect(ask("keys(@)", "1")).rejects.toThrow("Invalid type: keys() expected argument 1");
  });
});

test.each([
  ["(", "is nested more than 50 deep"],
  ["[", "is nested more than 50 deep"],
  ["{a:", "is nested more than 50 deep"],
  ["!", "has more than 4096 characters"],
  ["a.", "has more than 4096 characters"],
])("an expression of thousands of %s is refused at once", async (part, rule) => {
  const length = rule.startsWith("has") ? 4_097 : 1_000;
  const error = await parseQuery(part.repeat(length)).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(RelayctlError);
  expect((error as RelayctlError).failure).toBe("usage");
  expect((error as RelayctlError).message).toContain(rule);
});

test("an expression of fifty levels is read", async () => {
  const query = await parseQuery(`${"(".repeat(50)}a${")".repeat(50)}`);
  expect(query({ a: 1 })).toBe(1);
});

describe("the selection flags", () => {
  test("are read together, and all problems are reported at once", async () => {
    const options = { where: ["pausd", "id==x"], sort: "-nam", fields: "idd", limit: 3 };
    await expect(readSelection(options, relayerView)).rejects.toMatchObject({
      failure: "usage",
      details: [
        { where: "--where", given: "pausd" },
        { where: "--where", given: "id==x" },
        { where: "--sort", given: "nam" },
        { where: "--fields", given: "idd" },
      ],
    });
  });

  test.each([
    [{ fields: "id", query: "[].id" }, "--fields: cannot be combined with --query"],
    [
      { format: "raw", query: "[].id" },
      "--query: has no effect on -o raw, which prints one response exactly as received",
    ],
    [
      { format: "raw", where: ["paused"] },
      "--where: has no effect on -o raw, which prints one response exactly as received",
    ],
    [{ format: "raw", limit: 3 }, "--limit: has no effect on -o raw, which prints one response exactly as received"],
    [{ format: "name", fields: "name" }, "--fields: has no effect on -o name, which prints only ids"],
  ] as const)("must not contradict each other: %j", async (options, message) => {
    await expect(readSelection(options, relayerView)).rejects.toThrow(message);
  });

  test("are optional", async () => {
    const selection = await readSelection({ format: "raw", where: [] }, relayerView);
    expect(selection).toEqual({
      where: [],
      sort: undefined,
      limit: Number.POSITIVE_INFINITY,
      fields: undefined,
      query: undefined,
    });
  });
});

test("accepts known fields and a readable query", async () => {
  await validateOutput({ fields: "id,policies.gas_price_cap" }, relayerView);
  await validateOutput({ query: "data.id" });
});

test("rejects options that could not be applied afterwards", async () => {
  await expect(validateOutput({ fields: "nam" }, relayerView)).rejects.toThrow(
    "--fields nam: unknown field of a relayer",
  );
  await expect(validateOutput({ query: "a b" }, relayerView)).rejects.toThrow(
    "--query a b: invalid JMESPath expression at column 3",
  );
  await expect(validateOutput({ fields: "id" })).rejects.toThrow("--fields id: this result has no known fields");
});

describe("the fields", () => {
  const item = relayer(
    `{"id":"r1","disabled_reason":null,"policies":{"min_balance":1,"gas_price_cap":${MAX_U128}},"name":"x","custom_rpc_urls":[{"7":1,"a":2}]}`,
  );

  test.each([
    ["name,id", '{"id":"r1","name":"x"}'],
    ["policies.gas_price_cap", `{"policies":{"gas_price_cap":${MAX_U128}}}`],
    ["policies,policies.min_balance", `{"policies":{"min_balance":1,"gas_price_cap":${MAX_U128}}}`],
    ["disabled_reason.type,id", '{"id":"r1","disabled_reason":null}'],
    ["custom_rpc_urls", '{"custom_rpc_urls":[{"7":1,"a":2}]}'],
    ["network", "{}"],
  ])("%s of a resource keep their nesting and order", (fields, json) => {
    expect(writeJson(pickFields(item, parseFields(fields, relayerView)))).toBe(json);
  });

  test("must be known, or the error lists the unknown fields and the three closest ones", () => {
    expect(() => parseFields("id,nam,pausd", relayerView)).toThrow(
      /^--fields nam, pausd: unknown field of a relayer; closest: name, paused, [a-z_.]+$/,
    );
    expect(() => parseFields("", relayerView)).toThrow("--fields (empty): unknown field of a relayer");
    expect(() => parseFields("id,name,id", relayerView)).toThrow("--fields id: is listed twice");
  });
});

const item = relayer(
  `{"id":"r1","paused":false,"none":null,"policies":{"cap":${MAX_U128},"ratio":1.0,"list":["a",${MAX_U128}],"inner":{"b":1}}}`,
);

test.each([
  ["id", "r1"],
  ["paused", "false"],
  ["none", ""],
  ["none.deeper", ""],
  ["absent", ""],
  ["id.length", ""],
  ["policies.cap", MAX_U128],
  ["policies.ratio", "1.0"],
  ["policies.list", `["a",${MAX_U128}]`],
  ["policies.list.0", ""],
  ["policies.inner", '{"b":1}'],
  ["policies.inner.b", "1"],
  ["constructor", ""],
  ["policies.toString", ""],
])("%s is %j", (path, text) => expect(flatPathValue(item, path)).toBe(text));

test("an absent member differs from null", () => {
  expect([valueAtPath(item, "none"), valueAtPath(item, "absent")]).toEqual([null, undefined]);
  expect(valueAtPath({ id: "an object with a prototype" }, "toString")).toBeUndefined();
});

test("lists every leaf by its dotted path, in the order of the response", () =>
  expect(leafPaths(relayer('{"b":1,"7":{"x":[1],"y":{}},"a":null}'))).toEqual(["b", "7.x", "7.y", "a"]));

test("lists each path of several items once", () =>
  expect(leafPathsOfAll([{ a: 1 }, { b: 2, a: 3 }])).toEqual(["a", "b"]));
