import { parseJson } from "../../../src/contract/json.ts";
import type { Relayer } from "../../../src/contract/resources/relayer.ts";
import { relayerView } from "../../../src/views/relayer.ts";

test.each([
  ['"evm"', "evm"],
  ['""', ""],
  ["null", ""],
  ["5", "5"],
  ["{}", "{}"],
  ['{"a":[]}', '{"a":[]}'],
])("shows networks of the kind %s as different ones", (kind, word) => {
  const relayer = parseJson(`{"id":"r1","network":"base","network_type":${kind}}`) as Relayer;
  const network = relayerView.table.find(({ header }) => header === "network");
  expect(network?.apart?.(relayer)).toBe(word);
});
