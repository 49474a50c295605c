import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { type JsonObject, JsonSyntaxError, type JsonValue, parseJson, writeJson } from "../../../src/contract/json.ts";
import { operationPath } from "../../../src/contract/operation.ts";
import { operations } from "../../../src/contract/operations.ts";
import {
  createListItemReader,
  KnownKeys,
  type ListItem,
  listItemValue,
  readListReply,
} from "../../../src/contract/reply/list-reply.ts";
import { receivedTime } from "../../../src/contract/reply/received-time.ts";
import { recognizeOperation } from "../../../src/contract/reply/recognize.ts";
import {
  amount,
  count,
  deletion,
  exactShape,
  flag,
  identified,
  listShape,
  nullishShape,
  objectShape,
  optionalShape,
  recordShape,
  type Shape,
  text,
} from "../../../src/contract/reply/shape.ts";
import { withMaskedRpcUrls } from "../../../src/contract/rpc-url.ts";
import { ndjsonBytes, ndjsonLine } from "../../../src/terminal/formats/ndjson.ts";
import { runs } from "../../helpers/deep.ts";
import { alikeListBody, listBody } from "../../helpers/json-texts.ts";
import { recorded } from "../../helpers/service/recorded.ts";

const MOST_VALUES = 1_000_000;
const RUNS = runs(20, 20_000);
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function outlined(body: string | Uint8Array) {
  return readListReply(typeof body === "string" ? encoder.encode(body) : body, MOST_VALUES);
}

/** What the exact reader finds in the same body; nothing when it refuses it. */
function exact(body: string | Uint8Array): JsonValue | undefined {
  try {
    const text = typeof body === "string" ? body : decoder.decode(body);
    return parseJson(text, { values: MOST_VALUES });
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function idOf({ bytes, idStart, idEnd }: ListItem): string {
  return decoder.decode(bytes.subarray(idStart, idEnd));
}

/** Whatever is let through is what the exact reader finds, down to the bytes that are shown of it. */
function expectSame(body: string | Uint8Array): boolean {
  const found = outlined(body);
  if (!found) return false;
  const whole = exact(body) as JsonObject & { data: JsonObject[] };
  expect(whole).toBeDefined();
  expect(writeJson({ ...(found.document as JsonObject), data: found.items.map(listItemValue) })).toBe(writeJson(whole));
  expect(found.items.map(listItemValue)).toEqual(whole.data);
  expect(found.items.map(idOf)).toEqual(whole.data.map(({ id }) => id));
  for (const item of found.items) {
    const line = decoder.decode(ndjsonBytes([item]));
    expect(line).toBe(ndjsonLine(withMaskedRpcUrls(listItemValue(item))));
  }
  return true;
}

function hasPlain(body: string): boolean {
  return outlined(body)?.items.some(({ isPlain }) => isPlain) ?? false;
}

// Where only a found list makes a run useful, a run without it is drawn again.
describe("a list is read the same with and without building its items", () => {
  test("for any list that a service may send", () => {
    fc.assert(
      fc.property(listBody, (body) => fc.pre(expectSame(body))),
      RUNS,
    );
  });

  test("for any list of similar items, where each item is the pattern of the next", () => {
    fc.assert(
      fc.property(alikeListBody, (body) => fc.pre(expectSame(body) && hasPlain(body))),
      RUNS,
    );
  });

  test("for any list with one byte changed, inserted, or removed", () => {
    const change = fc.tuple(fc.oneof(listBody, alikeListBody), fc.nat(), fc.nat(2), fc.nat(255));
    fc.assert(
      fc.property(change, ([text, at, kind, byte]) => {
        const bytes = [...encoder.encode(text)];
        bytes.splice(at % bytes.length, kind === 1 ? 0 : 1, ...(kind === 2 ? [] : [byte]));
        expectSame(Uint8Array.from(bytes));
      }),
      RUNS,
    );
  });

  test("for every change of one byte in an item like the one before it", () => {
    const item = '{"id":"r-1","on":true,"n":-1.5e3,"name":"ab","policies":{"max":120,"list":["x",{"y":null}]}}';
    const text = list(`${item},${item}`);
    const body = encoder.encode(text);
    const start = text.lastIndexOf(item);
    for (let at = start; at < start + item.length; at++) {
      for (const byte of encoder.encode('"\\,:}{]0.e- t\u007f\u0001')) {
        expectSame(Uint8Array.from([...body.subarray(0, at), byte, ...body.subarray(at + 1)]));
        expectSame(Uint8Array.from([...body.subarray(0, at), byte, ...body.subarray(at)]));
      }
      expectSame(Uint8Array.from([...body.subarray(0, at), ...body.subarray(at + 1)]));
    }
  });

  test.each(["__proto__", "constructor", "toString"])("for a member named %s next to one that is null", (name) => {
    expectSame(`{"success":true,"data":[{"id":"é","${name}":null,"custom_rpc_urls":null}]}`);
  });

  test("for every recorded response", () => {
    const lists = recorded.filter(({ response }) => expectSame(response.body));
    expect(lists.length).toBeGreaterThan(10);
  });
});

/** The members of an object that have one of these names. */
function picked(value: JsonObject, names: readonly string[]): [string, JsonValue | undefined][] {
  return names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]);
}

describe("selected fields of an item have the same values as in the built item", () => {
  const names = fc.subarray(["id", "name", "paused", "custom_rpc_urls", "policies", "__proto__"]);

  test("for any list that a service may send", () => {
    fc.assert(
      fc.property(fc.oneof(listBody, alikeListBody), names, (body, wanted) => {
        const items = outlined(body)?.items ?? [];
        const whole = items.map(listItemValue);
        const read = createListItemReader(wanted)(items);
        expect(read.map((value) => picked(value, wanted))).toEqual(whole.map((value) => picked(value, wanted)));
      }),
      RUNS,
    );
  });

  test("despite a field with the same hash, and strings that look like an end", () => {
    const items =
      outlined(list('{"oBme":"}", "x" : {"id":["\\\\\\"",{"a":1}]} ,"id":"a"},{"id":"b","x":"\\\\"}'))?.items ?? [];
    expect(createListItemReader(["id", "name"])(items)).toEqual([{ id: "a" }, { id: "b" }]);
  });
});

const list = (items: string) => `{"success":true,"data":[${items}],"error":null}`;

/** An item with the same field twice: at its depth, and in two more lists. */
function deepTwice(lists: number, around: number): string {
  const field = `{"y":${"[".repeat(lists)}${"]".repeat(lists)}}`;
  return `{"id":"a","x":[${field},${"[".repeat(around)}${field}${"]".repeat(around)}]}`;
}

test("an item with as many levels as the exact parser reads is read, with the same field further out", () => {
  expect(outlined(list(deepTwice(63, 60)))).toBeDefined();
  expect(exact(list(deepTwice(63, 61)))).toBeUndefined();
});

describe("a list is left to the exact parser", () => {
  test.each([
    ["an item without an ID", '{"name":"a"}'],
    ["a numeric ID", '{"id":1}'],
    ["an item that is not an object", '"a"'],
    ["a duplicate field", '{"id":"a","x":1,"x":2}'],
    ["a duplicate field in two spellings", '{"id":"a","x":1,"\\u0078":2}'],
    ["a duplicate ID", '{"id":"a","\\u0069d":"b"}'],
    ["half of a surrogate pair", '{"id":"a","x":"\\ud800"}'],
    ["an ID of half a surrogate pair", '{"id":"\\udfff"}'],
    ["a number with a leading zero", '{"id":"a","x":01}'],
    ["an incomplete number", '{"id":"a","x":1.}'],
    ["a control character in a string", '{"id":"a\u0001"}'],
    ["an unknown escape", '{"id":"a\\x"}'],
    ["a trailing comma", '{"id":"a"},'],
    ["a field without a name", '{"id":"a",:1}'],
    ["a field without a value", '{"id":"a","x"}'],
    ["an incomplete word", '{"id":"a","x":tru}'],
    ["too many levels", `{"id":"a","x":${"[".repeat(126)}${"]".repeat(126)}}`],
    ["a field with too many levels, and the same field further out", deepTwice(63, 124 - 63)],
    ["too many fields", `{"id":"a"${Array.from({ length: 64 }, (_, index) => `,"m${index}":1`).join("")}}`],
  ])("if it has %s", (_, item) => expect(outlined(list(item))).toBeUndefined());

  test.each([
    ["is not an object", "[]"],
    ["has no list", '{"success":true}'],
    ["has an object in place of the list", '{"data":{"id":"a"}}'],
    ["has a second list", '{"data":[{"id":"a"}],"data":[]}'],
    ["continues after its end", `${list("")} x`],
    ["is truncated", list('{"id":"a"}').slice(0, -1)],
    ["begins with a byte order mark", `\ufeff${list("")}`],
    ["is empty", ""],
  ])("if its response %s", (_, body) => expect(outlined(body)).toBeUndefined());

  test("if its response is not UTF-8", () => {
    const bytes = encoder.encode(list('{"id":"ab"}'));
    bytes[bytes.indexOf(0x61, 30)] = 0xff;
    expect(outlined(bytes)).toBeUndefined();
  });

  test("if its response has too many values", () => {
    const body = encoder.encode(list(`{"id":"a","x":[${"1,".repeat(5_000)}1]}`));
    expect(readListReply(body, 20_000)).toBeDefined();
    expect(readListReply(body, 12_000)).toBeUndefined();
  });

  test("if the equal fields of its items have too many values", () => {
    const items = Array.from({ length: 10 }, (_, index) => `{"id":"${index}","x":[${"1,".repeat(400)}1]}`);
    const body = encoder.encode(list(items.join()));
    const values = items.length * 403 + 1;
    expect(readListReply(body, 10_000 + values)).toBeDefined();
    expect(readListReply(body, 10_000 + values - 1)).toBeUndefined();
  });
});

describe("an item is plain, and copied unchanged", () => {
  const isPlain = (item: string) => outlined(list(item))?.items[0]?.isPlain;

  test.each(['{"id":"a","x":[1.0,-0,1e400,{"7":null,"__proto__":{}}]}', '{"id":"é😀","x":"\\"\\\\\\n"}'])(
    "%s",
    (item) => expect(isPlain(item)).toBe(true),
  );

  test.each([
    ["with a space", '{"id":"a", "x":1}'],
    ["with an unnecessary escape", '{"id":"a","x":"\\/"}'],
    ["with an escaped character", '{"id":"a","x":"\\u0041"}'],
    ["with DEL in a key", '{"id":"a","\u007f":1}'],
    ["with DEL", '{"id":"a","x":"\u007f"}'],
    ["with a non-ASCII control character", '{"id":"a","x":"\u0085"}'],
    ["with an escape in its ID", '{"id":"\\u0061"}'],
  ])("but not %s", (_, item) => expect(isPlain(item)).toBe(false));
});

test("keys that earlier responses had change nothing about a response", () => {
  const known = new KnownKeys();
  fc.assert(
    fc.property(fc.oneof(listBody, alikeListBody), (body) => {
      const bytes = encoder.encode(body);
      const summary = (found: ReturnType<typeof readListReply>) =>
        found?.items.map((item) => [idOf(item), item.isPlain, writeJson(listItemValue(item))]);
      expect(summary(readListReply(bytes, MOST_VALUES, known) ?? outlined(body))).toEqual(summary(outlined(body)));
    }),
    RUNS,
  );
});

test("a key that an earlier response was learned from does not follow that response's memory", () => {
  const known = new KnownKeys();
  const first = encoder.encode(list('{"id":"a","name":"b"}'));
  readListReply(first, MOST_VALUES, known);
  first.fill(0x58);
  const { items = [] } = readListReply(encoder.encode(list('{"id":"c","name":"d"}')), MOST_VALUES, known) ?? {};
  expect(items.map(listItemValue)).toEqual([{ id: "c", name: "d" }]);
});

test("lists share memory only after it was given back, and never twice at the same time", () => {
  const known = new KnownKeys();
  const read = (id: string) => readListReply(encoder.encode(list(`{"id":"${id}","name":"n"}`)), MOST_VALUES, known);
  const ids = (found: ReturnType<typeof read>) => found?.items.map(listItemValue).map(({ id }) => id);
  const [first, second] = [read("a"), read("b")];
  first?.release();
  first?.release();
  const [third, fourth] = [read("c"), read("d")];
  expect([second, third, fourth].map(ids)).toEqual([["b"], ["c"], ["d"]]);
});

test.each([
  "-271821-04-20T00:00:00Z",
  "+275760-09-13T00:00:00.000Z",
  "+010000-01-01T00:00:00Z",
  "never",
  "",
  null,
  undefined,
  0,
  { odd: 1 },
])("%j is not a time", (value) => expect(receivedTime(value)).toBeNaN());

test.each([
  ["2026-11-21T03:12:07.000Z", 1_795_230_727_000],
  ["Sat, 21 Nov 2026 03:12:07 GMT", 1_795_230_727_000],
  ["9999-12-31T23:59:59.999Z", 253_402_300_799_999],
])("%s is a time, and an hour and a year later is one too", (text, time) => {
  expect(receivedTime(text)).toBe(time);
  expect(() => new Date(time + 366 * 86_400_000).toISOString()).not.toThrow();
});

/** What the user types, what the machine shows, and constants. */
const OTHERS =
  /^src\/(?:embedded-server\/|contract\/(?:rfc3339|reply\/received-time|requests\/|transaction\/past-problem)|config\/|commands\/history\/since\b|doctor\/checks\/(?:machine|service)-checks\b)/;

test("no other file parses times that are received", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file}`)
    .filter((file) => file.endsWith(".ts") && !OTHERS.test(file));
  expect(files.filter((file) => readFileSync(file, "utf8").includes("Date.parse("))).toEqual([]);
});

describe("a request is recognized by its method and path", () => {
  test.each(Object.values(operations))("$id", (operation) => {
    const names = [...operation.path.matchAll(/\{(\w+)(?:\.\.\.)?\}/g)].map(([, name]) => name);
    const parameters = Object.fromEntries(names.map((name) => [name, `an id: ${name}`]));
    const found = recognizeOperation(operation.method, operationPath(operation, parameters));
    expect(found?.operation.id).toBe(operation.id);
    expect(found?.parameters).toEqual(parameters);
  });

  test.each(["/api/v1/relayers/r1/", "//api//v1//relayers//r1", "/api/v1/relayers/%72%31", "/api/v1/relayer%73/r1"])(
    "in any spelling of the path: %s",
    (path) => {
      expect(recognizeOperation("PATCH", path)).toMatchObject({
        operation: { id: "relayers.update" },
        parameters: { relayer_id: "r1" },
      });
    },
  );
});

test("the pending transactions are not a transaction with that name", () => {
  const found = recognizeOperation("DELETE", "/api/v1/relayers/r1/transactions/pending");
  expect(found).toMatchObject({ operation: { id: "tx.delete-pending" }, parameters: { relayer_id: "r1" } });
});

test("a plugin's route is the rest of the path with its slashes, and never empty", () => {
  expect(recognizeOperation("POST", "/api/v1/plugins/p%3A1/call//v1/a%20b/")).toMatchObject({
    operation: { id: "plugins.call-route" },
    parameters: { plugin_id: "p:1", route: "v1/a b" },
  });
  expect(recognizeOperation("GET", "/api/v1/plugins/p1/call/")).toMatchObject({
    operation: { id: "plugins.call-get" },
  });
  expect(recognizeOperation("POST", "/api/v1/plugins/p1/call/%zz")).toBeUndefined();
  const { "plugins.call-route": operation } = operations;
  expect(operationPath(operation, { plugin_id: "p:1", route: "v1/a b" })).toBe("/api/v1/plugins/p%3A1/call/v1/a%20b");
});

test.each([
  ["PUT", "/api/v1/relayers"],
  ["PUT", "/api/v1/relayers/r1"],
  ["PATCH", "/api/v1/relayers/r1/transactions/t1"],
  ["PATCH", "/api/v2/relayers/r1"],
  ["PATCH", "/xxxxxxx/relayers/r1"],
  ["PATCH", "/relayers/r1"],
  ["PATCH", "/api/v1/Relayers/r1"],
  ["PATCH", "/api/v1/relayers/%zz"],
  ["GET", "/"],
] as const)("%s %s is unknown", (method, path) => expect(recognizeOperation(method, path)).toBeUndefined());

const person = objectShape({
  id: text,
  tags: nullishShape(listShape(text)),
  home: optionalShape(objectShape({ open: flag })),
});

test.each<[string, Shape, string, string | undefined]>([
  ["all specified fields", person, '{"id":"a","tags":["x"],"home":{"open":true}}', undefined],
  ["unknown fields", person, '{"id":"a","later":[1]}', undefined],
  ["null in a nullable field", person, '{"id":"a","tags":null}', undefined],
  ["null in an optional field", person, '{"id":"a","home":null}', "home"],
  ["a missing ID", person, '{"tags":[]}', "id"],
  ["a wrong field", person, '{"id":5}', "id"],
  ["a wrong nested field", person, '{"id":"a","home":{"open":"yes"}}', "home.open"],
  ["a wrong item", person, '{"id":"a","tags":["x",null]}', "tags.1"],
  ["a list in place of an object", person, "[]", ""],
  ["a number in place of an object", person, "1.0", ""],
  ["a list that is too short", listShape(text, 1), "[]", ""],
  ["only known fields", exactShape({ id: text }), '{"id":"a"}', undefined],
  ["an unknown field, which is not quoted", exactShape({ id: text }), '{"id":"a","s3cret":1}', ""],
  ["fields of any name", recordShape(flag), '{"a":true,"__proto__":false}', undefined],
  ["one wrong field of any name", recordShape(flag), '{"a":true,"b":1}', "b"],
  ["an amount of any size", amount, "340282366920938463463374607431768211455", undefined],
  ["an amount as a string", amount, '"0x10"', undefined],
  ["a fraction in place of an amount", amount, "1.5", ""],
  ["a count", count, "0", undefined],
  ["a negative count", count, "-1", ""],
  ["a count that is not exact", count, "9007199254740993", ""],
  ["an ID and other fields", identified, '{"id":"x","n":1}', undefined],
  ["a deletion", deletion, '"Relayer deleted successfully"', undefined],
  ["another string in place of a deletion", deletion, '"OK"', ""],
])("%s", (_, shape, json, place) => expect(shape(parseJson(json))).toBe(place));

test("an absent value is valid for optional shapes only", () => {
  expect([nullishShape(text)(undefined), optionalShape(text)(undefined)]).toEqual([undefined, undefined]);
  expect([text, flag, count, amount, person, deletion].map((shape) => shape(undefined))).toEqual(Array(6).fill(""));
});
