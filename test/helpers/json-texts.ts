import fc from "fast-check";

/** JSON as texts, in every way in which it may be written, and a little beyond: some of it is refused. */

const space = fc.constantFrom("", "", "", "", " ", "\n", "\t", "\r\n");

const BEYOND_ASCII = fc.constantFrom("é", "日", "😀", "\u007f", "\u0085", "\u00a0", "\u2028", "\u200b", "\ufeff");
const ESCAPED = fc.constantFrom(
  ...['\\"', "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"],
  ...["\\u0041", "\\u00e9", "\\u0000", "\\u001F", "\\ud83d\\ude00", "\\u2028", "\\u0069d"],
);

const character = fc.oneof(
  { weight: 80, arbitrary: fc.stringMatching(/^[a-z0-9 .:/-]$/) },
  { weight: 10, arbitrary: BEYOND_ASCII },
  { weight: 10, arbitrary: ESCAPED },
  { weight: 1, arbitrary: fc.constantFrom("\\ud800", "\\udc00x", "\\x", "\\u12", "\n", "\u0001") },
);
const text = fc.array(character, { maxLength: 12 }).map((characters) => `"${characters.join("")}"`);

const number = fc.oneof(
  { weight: 10, arbitrary: fc.integer().map(String) },
  { weight: 10, arbitrary: fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }).map(String) },
  { weight: 10, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String) },
  {
    weight: 10,
    arbitrary: fc.constantFrom("0", "-0", "1.0", "0.10", "1e3", "1E+21", "1e-7", "9007199254740993", "1e400"),
  },
  { weight: 1, arbitrary: fc.constantFrom("01", "-", "1.", ".5", "+1", "1e", "0x1", "NaN", "-01") },
);

const name = fc.oneof(
  fc
    .constantFrom("id", "name", "paused", "custom_rpc_urls", "rpc_urls", "policies", "__proto__", "7", "10", "é", "jE")
    .map((word) => `"${word}"`),
  text,
);

const scalar = fc.oneof(
  { weight: 20, arbitrary: text },
  { weight: 20, arbitrary: number },
  { weight: 20, arbitrary: fc.constantFrom("true", "false", "null") },
  { weight: 1, arbitrary: fc.constantFrom("tru", "nul", "undefined", "") },
);

function spaced(open: string, parts: fc.Arbitrary<readonly string[]>, close: string): fc.Arbitrary<string> {
  return fc
    .tuple(space, parts, space)
    .map(([before, found, after]) => open + before + found.join(`${after},`) + after + close);
}

const { value: jsonText } = fc.letrec<{ value: string; field: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    spaced("[", fc.array(tie("value"), { maxLength: 4 }), "]"),
    spaced("{", fc.array(tie("field"), { maxLength: 5 }), "}"),
  ),
  field: fc
    .tuple(name, space, space, tie("value"))
    .map(([key, before, after, value]) => `${key}${before}:${after}${value}`),
}));

const urls = fc.constantFrom(
  '[{"url":"https://user:pw@h.example/v2/key","weight":5}]',
  '["https://h.example/key"]',
  '"https://h.example/key"',
  "null",
);

/** An item of a list: nearly always with an id that is a text, in the place and the spelling that chance gives it. */
const item = fc
  .tuple(
    fc.oneof(
      { weight: 100, arbitrary: fc.stringMatching(/^"[a-z0-9é-]{1,6}"$/) },
      { weight: 10, arbitrary: text },
      { weight: 1, arbitrary: jsonText },
    ),
    fc.array(fc.tuple(name, jsonText), { maxLength: 4 }),
    fc.option(urls),
    fc.nat(4),
    space,
  )
  .map(([id, fields, rpcUrls, place, gap]) => {
    const parts = fields.map(([key, value]) => `${key}:${gap}${value}`);
    if (rpcUrls !== null) parts.push(`"custom_rpc_urls":${rpcUrls}`);
    parts.splice(place, 0, `"id":${id}`);
    return `{${parts.join(",")}${gap}}`;
  });

/** The body of a list response, or what another service may take for one. */
export const listBody = fc
  .tuple(
    fc.array(fc.oneof({ weight: 100, arbitrary: item }, { weight: 1, arbitrary: jsonText }), { maxLength: 6 }),
    fc.oneof(
      { weight: 10, arbitrary: fc.constant('"success":true,') },
      { weight: 1, arbitrary: fc.constantFrom('"success":false,', "", '"data":[],', '"d\\u0061ta":1,') },
    ),
    fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom("", ',"pagination":{"current_page":1,"per_page":10,"total_items":3}') },
      { weight: 1, arbitrary: fc.constantFrom(',"data":[]', ',"x":', "}") },
    ),
    space,
  )
  .map(([items, before, after, gap]) => `${gap}{${before}"data":${gap}[${items.join(`,${gap}`)}]${after}}${gap}`);

/** Lists in lists, objects in objects, and both by turns. */
const deep = fc
  .tuple(fc.constantFrom<[string, string][]>(["[", "]"], ['{"a":', "}"], ['[{"a":', "}]"], ["[?,", "]"]), fc.nat(40))
  .map(([[open, close], levels]) => `${open.repeat(levels)}?${close.repeat(levels)}`);

/** Around the most that the scanner compares, and more than a pattern holds. */
const manyFields = fc
  .integer({ min: 60, max: 70 })
  .map((count) => `{${Array.from({ length: count }, (_, index) => `"m${index}":{"a":?,"b":?}`)}}`);

/** How items look that look alike: `?` stands for a scalar of each, and `*` for as many as each likes. */
const { object: likeness } = fc.letrec<{ object: string; value: string }>((tie) => ({
  object: fc
    .uniqueArray(fc.constantFrom("name", "rpc_urls", "a", "b", "type", "__proto__", "7", "é", "a.b"), {
      maxLength: 6,
    })
    .chain((names) => fc.tuple(...names.map((key) => tie("value").map((value) => `"${key}":${value}`))))
    .map((fields) => `{${fields.join(",")}}`),
  value: fc.oneof(
    { maxDepth: 2 },
    { weight: 6, arbitrary: fc.constant("?") },
    { weight: 1, arbitrary: fc.constantFrom("[*]", "[[*],[*]]", "[]", "{}") },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: manyFields },
    { weight: 1, arbitrary: tie("object").map((object) => `[${object},${object}]`) },
    { weight: 2, arbitrary: tie("object") },
  ),
}));

const usualScalar = fc.oneof(
  { weight: 40, arbitrary: fc.stringMatching(/^"[a-zA-Z0-9 {}[\],:.$]{0,6}"$/) },
  { weight: 20, arbitrary: fc.constantFrom("true", "false", "null", "0", "-1", "1.50", "2e9", "9007199254740993") },
  { weight: 2, arbitrary: scalar },
);

/** The body of a list response whose items mostly look alike: some have a scalar in place of an object, or another order. */
export const alikeListBody = fc
  .tuple(
    likeness,
    fc.array(fc.tuple(fc.nat(20), fc.array(usualScalar, { minLength: 1, maxLength: 9 })), {
      minLength: 2,
      maxLength: 7,
    }),
  )
  .map(([object, values]) => {
    const fields = object.slice(1, -1);
    const look = `{${fields === "" ? "" : `${fields},`}"id":"i"}`;
    const items = values.map(([kind, scalars]) => {
      let next = 0;
      const take = () => scalars[next++ % scalars.length] ?? "null";
      const filled = look
        .replaceAll("*", () => Array.from({ length: next % 3 }, take).join(","))
        .replaceAll(kind === 0 ? /\[[^[\]]*\]|\?/g : "?", take);
      const item = filled.replace(/"i"\}$/, `"${"i".repeat(kind)}"}`);
      return kind === 1 ? item.replace("{", '{"x":1,') : item;
    });
    return `{"success":true,"data":[${items.join(",")}],"error":null}`;
  });
