import { writeJson } from "../../../src/contract/json.ts";
import { parseFields, pickFields } from "../../../src/terminal/select/fields.ts";
import { MAX_U128, relayer, relayerView } from "../sample-relayers.ts";

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
