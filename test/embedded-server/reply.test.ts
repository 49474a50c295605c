import fc from "fast-check";
import { type JsonValue, writeJson } from "../../src/contract/json.ts";
import { createReplyCache, replyDataText } from "../../src/embedded-server/reply.ts";

test("writes every value as JSON, and the items of a list the same every time", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (given) => {
      const value = given as JsonValue;
      const list = [value, value];
      const memo = createReplyCache();
      expect([replyDataText(value, memo), replyDataText(list, memo), replyDataText(list, memo)]).toEqual(
        [value, list, list].map(writeJson),
      );
    }),
  );
});

test("keeps every digit of an item", () => {
  const item = { id: "r", policies: { gas_price_cap: 2n ** 128n - 1n } };
  const text = '[{"id":"r","policies":{"gas_price_cap":340282366920938463463374607431768211455}}]';
  const memo = createReplyCache();
  expect([replyDataText([item], memo), replyDataText([item], memo)]).toEqual([text, text]);
});
