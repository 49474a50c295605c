import { expect, test } from "vitest";
import { keyValueText } from "../../../src/terminal/formats/delimited.ts";
import { MAX_U128, relayer } from "../sample-relayers.ts";

const item = relayer(
  `{"id":"r1","name":"a\\tb","notification_id":null,"policies":{"cap":${MAX_U128},"list":["x"]},"none":{},"we\\tird":true}`,
);

test("writes one line per leaf, in the order of the response", () => {
  expect(keyValueText(item)).toBe(`\
id\tr1
name\ta\\tb
notification_id\t
policies.cap\t${MAX_U128}
policies.list\t["x"]
none\t{}
we\\tird\ttrue
`);
});

test("writes the requested lines, in the requested order", () => {
  expect(keyValueText(item, ["policies.cap", "id", "absent"])).toBe(`policies.cap\t${MAX_U128}\nid\tr1\nabsent\t\n`);
});
