import fc from "fast-check";
import {
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  keysOf,
  NumberLiteral,
  parseJson,
  positionsIn,
  prettyJson,
  withoutComments,
  writeJson,
} from "../../../src/contract/json.ts";
import { runs } from "../../helpers/deep.ts";

/** Our value as JSON.parse would have made it: exactness given up, prototypes given back. */
function rounded(value: unknown): unknown {
  if (typeof value === "bigint" || value instanceof NumberLiteral) return Number(String(value));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, rounded(field)]));
}

function errorOf(text: string, limits = {}): JsonSyntaxError {
  try {
    parseJson(text, limits);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("compared with JSON.parse", () => {
  const wellFormed = fc.json({ maxDepth: 6 }).filter((text) => JSON.stringify(JSON.parse(text)).isWellFormed());

  test("returns the same value if both accept the text", () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        fc.pre(!/\\u[dD][89a-fA-F]/.test(text));
        expect(rounded(parseJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test("rejects what JSON.parse rejects", () => {
    const mutated = fc.tuple(
      wellFormed,
      fc.nat(),
      fc.constantFrom(",", "{", "}", "[", "]", '"', "\\", "-", "0", "e", "."),
    );
    fc.assert(
      fc.property(mutated, ([text, at, character]) => {
        const place = at % (text.length + 1);
        const broken = text.slice(0, place) + character + text.slice(place);
        let accepted = true;
        try {
          JSON.parse(broken);
        } catch {
          accepted = false;
        }
        if (!accepted) expect(() => parseJson(broken)).toThrow(JsonSyntaxError);
      }),
      runs(150, 10_000),
    );
  });
});

describe("numbers keep every digit", () => {
  test.each([
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["-9007199254740993", -9007199254740993n],
    ["340282366920938463463374607431768211455", 340282366920938463463374607431768211455n],
    ["0.1", 0.1],
    ["-1.5", -1.5],
    ["0", 0],
    ["999999999999999", 999999999999999],
    ["1000000000000000", 1000000000000000],
    ["10000000000000000", 10000000000000000n],
  ])("%s", (text, value) => expect(parseJson(text)).toBe(value));

  test.each(["1.0", "0.10", "-0", "-0.0", "1e21", "1E2", "1e400", "1e-400", "3.141592653589793238", "9".repeat(401)])(
    "%s stays a literal",
    (text) => expect(parseJson(text)).toEqual(new NumberLiteral(text)),
  );

  test("an integer is a number up to 2^53, and otherwise a bigint", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (integer) => {
        const isSafe = Number.isSafeInteger(Number(integer));
        expect(parseJson(`[${integer}]`)).toEqual([isSafe ? Number(integer) : integer]);
      }),
    );
  });

  test.each(["01", "00", "01.5", "-01", "+1", ".5", "1.", "1.e5", "1e", "0x1", "NaN", "Infinity", "-", "1_000", "١"])(
    "%s is not a number",
    (text) => expect(() => parseJson(text)).toThrow(JsonSyntaxError),
  );
});

describe("ambiguous JSON is rejected", () => {
  test.each([
    ["a duplicate key", '{"a":1,"a":2}', "duplicate field name at line 1 column 8"],
    ["a duplicate key in two spellings", '{"a":1,"\\u0061":2}', "duplicate field name at line 1 column 8"],
    ["duplicate __proto__ keys", '{"__proto__":1,"__proto__":2}', "duplicate field name at line 1 column 16"],
    ["a lone surrogate", '"\\ud800"', "a lone surrogate at line 1 column 1"],
    ["a surrogate pair in the wrong order", '"\\ude00\\ud83d"', "a lone surrogate"],
    ["a lone surrogate in a key", '{"\\udfff":1}', "a lone surrogate"],
    ["a byte order mark", "\ufeff{}", "a byte order mark at line 1 column 1"],
    ["a control character in a string", '"a\nb"', "a control character in a string at line 1 column 3"],
    ["NUL", '"\u0000"', "a control character"],
    ["text after the end", "{} x", "unexpected text after the end of the document at line 1 column 4"],
    ["an empty text", "", "unexpected end of the text at line 1 column 1"],
    ["a trailing comma", "[1,]", "expected a value at line 1 column 4"],
    ["a name without quotes", "{a:1}", "expected a field name in quotes at line 1 column 2"],
    ["an unknown escape", '"\\x41"', "an unknown escape"],
    ["an incomplete escape", '"\\u12', "an unknown escape"],
    ["an incomplete escape at the end of the text", '"\\', "an unknown escape at line 1 column 2"],
    ["half a surrogate pair between escapes", '"\\n\\ud83d\\n"', "a lone surrogate at line 1 column 1"],
    ["a duplicate key in a nested object", '{"a":{"b":1,"c":[],"b":2}}', "duplicate field name at line 1 column 20"],
    ["a duplicate numeric key", '{"1":1,"1":2}', "duplicate field name at line 1 column 8"],
    ["a string without a closing quote", '"abc', "a string without a closing quote"],
  ])("%s", (_, text, message) => expect(errorOf(text).message).toContain(message));

  test("an escaped surrogate pair is a single character", () => expect(parseJson('"\\ud83d\\ude00"')).toBe("😀"));
});

describe("an error", () => {
  test("has a line and a column", () => {
    const error = errorOf('{\n  "a": 1,\n  "b": tru\n}');
    expect([error.line, error.column]).toEqual([3, 8]);
  });

  test("never quotes its input", () => {
    const secrets = ['{"signing_key": s3cret}', '{"s3cret":1,"s3cret":2}', '"s3cret', "s3cret", '{"a":"s3cret\\q"}'];
    for (const text of secrets) expect(errorOf(text).message).not.toContain("s3cret");
  });
});

describe("limits", () => {
  test("of levels: the maximum is accepted, one more is rejected", () => {
    expect(parseJson("[".repeat(128) + "]".repeat(128))).toHaveLength(1);
    expect(errorOf("[".repeat(129) + "]".repeat(129)).message).toContain("too many levels");
    expect(errorOf('{"a":'.repeat(200_000)).message).toContain("too many levels");
  });

  test("of values", () => {
    expect(parseJson("[1,2]", { values: 3 })).toEqual([1, 2]);
    expect(errorOf("[1,2,3]", { values: 3 }).message).toContain("too many values");
  });
});

describe("field names are plain data", () => {
  const object = parseJson('{"__proto__":{"polluted":true},"constructor":1,"toString":null}') as JsonObject;

  test("pollute no prototype", () => {
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(object)).toEqual(["__proto__", "constructor", "toString"]);
    expect(object.constructor).toBe(1);
  });

  test("are not inherited", () => {
    const empty = parseJson("{}") as JsonObject;
    expect(["constructor", "__proto__", "toString", "hasOwnProperty"].map((name) => empty[name])).toEqual(
      Array(4).fill(undefined),
    );
  });
});

test.each([
  '{"a":1,"b":[1,2,{"c":null}],"d":""}',
  '{"10":1,"9":2,"a":3,"1":4}',
  "[340282366920938463463374607431768211455,-0,1.0,1e400,0.10]",
  '{"__proto__":1,"constructor":2}',
  '"\\u0000\\u001f\\"\\\\ é 😀 \u2028"',
  "[]",
  "{}",
  '[[],{},""]',
])("%s is written unchanged", (text) => expect(writeJson(parseJson(text))).toBe(text));

test("any JSON has a stable compact form", () => {
  const json = fc.json().filter((text) => text.isWellFormed() && !/\\u[dD][89a-fA-F]/.test(text));
  fc.assert(
    fc.property(json, (text) => {
      const once = writeJson(parseJson(text));
      expect(writeJson(parseJson(once))).toBe(once);
      expect(JSON.parse(once)).toEqual(JSON.parse(text));
    }),
  );
});

test("integers of any size are unchanged", () => {
  fc.assert(fc.property(fc.bigInt(), (integer) => writeJson(parseJson(String(integer))) === String(integer)));
});

describe("pretty JSON", () => {
  test("is indented by two spaces, with empty values on one line", () =>
    expect(prettyJson({ a: [1, { b: 2n }], c: [], d: {} })).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": 2\n    }\n  ],\n  "c": [],\n  "d": {}\n}',
    ));

  test("has the same value for JSON.parse", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(JSON.parse(prettyJson(value as JsonValue)))).toBe(JSON.stringify(value));
      }),
    );
  });
});

test("an undefined field is omitted like an absent one", () =>
  expect(writeJson({ a: undefined, b: 1 } as unknown as JsonObject)).toBe('{"b":1}'));

test.each([Number.NaN, Number.POSITIVE_INFINITY])("%s is rejected", (number) => {
  expect(() => writeJson(number)).toThrow(RangeError);
});

test("a negative zero keeps its sign", () =>
  expect([writeJson(-0), writeJson(new NumberLiteral("-0"))]).toEqual(["-0", "-0"]));

describe("the order of keys", () => {
  const object = parseJson('{"b":1,"2":2,"1":3}') as JsonObject;

  test("is the order in the text, even for numeric keys", () => expect(keysOf(object)).toEqual(["b", "2", "1"]));

  test("includes fields that are added later", () => {
    const changed = parseJson('{"b":1,"1":3}') as JsonObject;
    changed.c = 4;
    delete changed.b;
    expect([...keysOf(changed)].sort()).toEqual(["1", "c"]);
  });
});

describe("comments", () => {
  test.each<[string, string, unknown]>([
    ["a line comment", '{"a":1} // b', { a: 1 }],
    ["a multi-line block comment", '{/* "a":\n2, */"b":3}', { b: 3 }],
    ["an unclosed block comment", "[1] /* 2", [1]],
    ["slashes in a string", '{"url":"https://a.example/*x*/"}', { url: "https://a.example/*x*/" }],
    ["an escaped quote in a string", '{"a":"\\"//"}', { a: '"//' }],
    ["a quote in a comment", '{"a":1 // it"s\n}', { a: 1 }],
    ["a trailing comma before a comment", '{"a":[1,2,], // x\n}', { a: [1, 2] }],
    ["a comma and a bracket in a string", '{"a":",]"}', { a: ",]" }],
    ["a byte order mark", "\ufeff[]", []],
  ])("%s", (_, text, value) => expect(parseJson(withoutComments(text))).toEqual(value));

  test("keeps every digit", () =>
    expect(parseJson(withoutComments("[340282366920938463463374607431768211455 /* u128 */]"))).toEqual([
      2n ** 128n - 1n,
    ]));

  test("keeps every position", () => {
    const text = '// one\r\n{ /* two\n */ "a": 1, // three\n}';
    const json = withoutComments(text);
    expect(json).toHaveLength(text.length);
    expect(json.indexOf('"a"')).toBe(text.indexOf('"a"'));
    expect(json.split("\n").map((line) => line.length)).toEqual(text.split("\n").map((line) => line.length));
  });

  test("leaves a string without a closing quote to the parser", () =>
    expect(() => parseJson(withoutComments('{"a": "b // c\n}'))).toThrow("at line 1 column 14"));
});

describe("positions", () => {
  test("returns the position of every field and entry by its dotted path", () => {
    const text = '\n {\n  "a": {"b\\u0063": [true, null, -1.5e3]},\n  "d": [{"e": "x"}], "f": {}, "g": []\n}';
    expect([...positionsIn(text)]).toEqual([
      ["", { line: 2, column: 2 }],
      ["a", { line: 3, column: 3 }],
      ["a.bc", { line: 3, column: 9 }],
      ["a.bc.0", { line: 3, column: 21 }],
      ["a.bc.1", { line: 3, column: 27 }],
      ["a.bc.2", { line: 3, column: 33 }],
      ["d", { line: 4, column: 3 }],
      ["d.0", { line: 4, column: 9 }],
      ["d.0.e", { line: 4, column: 10 }],
      ["f", { line: 4, column: 22 }],
      ["g", { line: 4, column: 31 }],
    ]);
  });

  test.each(["[]", "{}", "5", '"a"', "true"])("%s has only its own position", (text) => {
    expect([...positionsIn(text).keys()]).toEqual([""]);
  });
});
