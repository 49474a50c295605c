import { variedPage, variedRelayer } from "../../../scripts/bench/varied-fleet.js";
import { parseJson, writeJson } from "../../../src/contract/json.ts";
import { relayerShape } from "../../../src/contract/resources/relayer.ts";

const TEXT = /("(?:[^"\\]|\\.)*":)|"(?:[^"\\]|\\.)*"|-?[0-9][0-9.]*|true|false/g;
const items = Array.from({ length: 40_000 }, (_, index) => variedRelayer(index + 1));

test("has at least 800 shapes of relayers, of about the size of the uniform fleet", () => {
  const shapes = new Set(items.map((item) => item.replaceAll(TEXT, (value, name) => name ?? value[0] === '"')));
  expect(shapes.size).toBeGreaterThanOrEqual(800);
  const bytes = Buffer.byteLength(items.join(""));
  expect(bytes / items.length).toBeGreaterThan(325);
  expect(bytes / items.length).toBeLessThan(355);
});

test("every fifth relayer has RPC URLs, and every twentieth a name beyond ASCII, in one of five scripts", () => {
  const share = (pattern: RegExp) => items.filter((item) => pattern.test(item)).length / items.length;
  expect(share(/"custom_rpc_urls"/)).toBeCloseTo(0.2, 2);
  expect(share(/\P{ASCII}/u)).toBeCloseTo(0.05, 2);
  for (const script of ["Cyrillic", "Greek", "Han", "Arabic", "Devanagari"])
    expect(share(new RegExp(`\\p{Script=${script}}`, "u")), script).toBeGreaterThan(0.005);
});

test("relayers have the shape of the service's, and amounts that a double would round", () => {
  const some = items.slice(0, 200);
  const read = some.map((item) => parseJson(item));
  expect(read.map((relayer) => relayerShape(relayer)).filter(Boolean)).toEqual([]);
  expect(read.map((relayer) => writeJson(relayer))).toEqual(some);
  expect(some.filter((item) => JSON.stringify(JSON.parse(item)) !== item).length).toBeGreaterThan(100);
});

test("pages have no gaps and end with a short page", () => {
  const pages = [1, 2, 3, 4].map((page) => JSON.parse(variedPage(25, page, 10)));
  expect(pages.flatMap(({ data }) => data)).toEqual(items.slice(0, 25).map((item) => JSON.parse(item)));
  expect(pages.at(-1).pagination).toEqual({ current_page: 4, per_page: 10, total_items: 25 });
});
