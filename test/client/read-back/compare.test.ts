import { compareFields } from "../../../src/client/read-back/compare.ts";
import { type JsonObject, parseJson } from "../../../src/contract/json.ts";

function verdictOf(asked: string, answered: string): string {
  const { different, unconfirmed } = compareFields(parseJson(asked) as JsonObject, parseJson(answered) as JsonObject);
  if (different.length > 0) return `different: ${different.map(({ path }) => path).join()}`;
  return unconfirmed.length > 0 ? `unconfirmed: ${unconfirmed.join()}` : "same";
}

test.each([
  ['{"a":5}', '{"a":5}'],
  ['{"a":5}', '{"a":"5"}'],
  ['{"a":5}', '{"a":"0x5"}'],
  ['{"a":5}', '{"a":5.0}'],
  ['{"value":"5"}', '{"value":5}'],
  ['{"value":"5"}', '{"value":"0x5"}'],
  ['{"policies":{"gas_price_cap":"007"}}', '{"policies":{"gas_price_cap":"7"}}'],
  ['{"a":340282366920938463463374607431768211455}', '{"a":"0xffffffffffffffffffffffffffffffff"}'],
  ['{"to":"0xAB"}', '{"to":"0xab"}'],
  ['{"policies":{"whitelist_receivers":["0xAB"]}}', '{"policies":{"whitelist_receivers":["0xab"]}}'],
  ['{"a":1.5}', '{"a":1.50}'],
  ['{"a":1000}', '{"a":1e3}'],
  ['{"a":true}', '{"a":true}'],
  ['{"a":"x"}', '{"a":"x","b":1}'],
  ['{"a":null}', '{"a":null}'],
  ['{"a":null}', "{}"],
  ['{"a":[1]}', '{"a":["1"]}'],
  ['{"rpc_urls":[{"url":"https://h"}]}', '{"rpc_urls":[{"url":"https://h","weight":100}]}'],
  ['{"a":[]}', '{"a":[]}'],
  ['{"policies":{"slippage_percentage":0.1}}', '{"policies":{"slippage_percentage":0.10000000149011612}}'],
  ['{"a":{"b":{"c":1}}}', '{"a":{"b":{"c":1,"d":2}}}'],
  ['{"a":[{"b":1,"c":null}]}', '{"a":[{"b":1,"d":null}]}'],
  ["{}", '{"a":1}'],
])("the requested and the returned value are the same: %s %s", (asked, answered) => {
  expect(verdictOf(asked, answered)).toBe("same");
});

test.each([
  ['{"fee_margin_percentage":0.1}', '{"fee_margin_percentage":0.10000002}', "fee_margin_percentage"],
  ['{"a":0.1}', '{"a":0.10000000149011612}', "a"],
  ['{"a":5}', '{"a":"0x6"}', "a"],
  ['{"a":340282366920938463463374607431768211455}', '{"a":340282366920938463463374607431768211454}', "a"],
  ['{"a":"x"}', '{"a":"X"}', "a"],
  ['{"name":"007"}', '{"name":"7"}', "name"],
  ['{"notification_id":"01"}', '{"notification_id":"1"}', "notification_id"],
  ['{"name":"0xAB"}', '{"name":"0xab"}', "name"],
  ['{"rpc_urls":[{"url":"https://h"}]}', '{"rpc_urls":[{"url":"https://h","weight":5}]}', "rpc_urls"],
  ['{"rpc_urls":[{"url":"https://h","weight":0}]}', '{"rpc_urls":[{"url":"https://h","weight":100}]}', "rpc_urls"],
  ['{"a":true}', '{"a":false}', "a"],
  ['{"a":null}', '{"a":"x"}', "a"],
  ['{"a":[1,2]}', '{"a":[2,1]}', "a"],
  ['{"a":[1]}', '{"a":[1,2]}', "a"],
  ['{"a":[]}', '{"a":[1]}', "a"],
  ['{"a":1.5}', '{"a":1.25}', "a"],
  ['{"a":340282366920938463463374607431768211455}', '{"a":3.402823669209385e+38}', "a"],
  ['{"value":"340282366920938463463374607431768211455"}', '{"value":3.402823669209385e+38}', "value"],
  ['{"a":9007199254740993}', '{"a":9.007199254740992e15}', "a"],
  ['{"a":1e400}', '{"a":1e401}', "a"],
  ['{"a":{"b":1,"c":2}}', '{"a":{"b":2,"c":3}}', "a.b,a.c"],
  ['{"a":"https://h/x"}', '{"a":"https://other/***"}', "a"],
])("the requested and the returned value differ: %s %s", (asked, answered, paths) => {
  expect(verdictOf(asked, answered)).toBe(`different: ${paths}`);
});

test.each([
  ['{"a":5}', "{}", "a"],
  ['{"a":5}', '{"a":null}', "a"],
  ['{"a":5}', '{"a":5e1000}', "a"],
  ['{"a":"fast"}', '{"a":{"name":"fast"}}', "a"],
  ['{"a":true}', '{"a":"true"}', "a"],
  ['{"a":[1]}', '{"a":1}', "a"],
  ['{"a":"https://h/x"}', '{"a":"https://h/***"}', "a"],
  ['{"a":"https://u:p@h/x"}', '{"a":"https://h/***"}', "a"],
  ['{"a":[{"url":"https://h/x","weight":1}]}', '{"a":[{"url":"https://h/***","weight":1}]}', "a"],
  ['{"a":{"b":1,"c":2}}', '{"a":null}', "a.b,a.c"],
  ['{"a":[{"b":null}]}', '{"a":[{"b":1}]}', "a"],
  ['{"name":"7"}', '{"name":7}', "name"],
  ['{"allowed_tokens":[{"mint":"m"}]}', '{"allowed_tokens":[{"mint":"m","max_allowed_fee":5}]}', "allowed_tokens"],
])("the returned value cannot be compared: %s %s", (asked, answered, paths) => {
  expect(verdictOf(asked, answered)).toBe(`unconfirmed: ${paths}`);
});

test("leaves a null that comes back with a value to the caller", () => {
  const asked = { a: null, b: { c: null } };
  const answered = { a: 1, b: { c: 2 } };
  const seen: [string, unknown][] = [];
  const compared = compareFields(asked, answered, (path, found) => {
    seen.push([path, found]);
    return "same";
  });
  expect(seen).toEqual([
    ["a", 1],
    ["b.c", 2],
  ]);
  expect(compared).toEqual({ different: [], unconfirmed: [] });
});
