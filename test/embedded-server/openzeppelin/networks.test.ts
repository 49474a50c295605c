import { askService } from "./ask-service.ts";

const TYPED = "Json deserialize error: ";

// facts 8.2, and facts 1.8 for a wrong shape, whatever the network.
test.each([
  ["null", "At least one field must be provided for update"],
  ['{"rpc_urls":null}', "At least one field must be provided for update"],
  ['{"rpc_urls":[]}', "rpc_urls must contain at least one RPC endpoint"],
  [
    '{"rpc_urls":["ftp://a.example.org"]}',
    "Invalid URL scheme for ftp://a.example.org: Only HTTP and HTTPS are supported",
  ],
  ['{"name":"x"}', `${TYPED}unknown field \`name\`, expected \`rpc_urls\` at line 1 column 7`],
  ['{"rpc_urls":"x"}', `${TYPED}invalid type: string "x", expected a sequence at line 1 column 15`],
  ['{"rpc_urls":[{"url":"http://a.example.org","weight":300}]}', "data did not match any variant of untagged enum"],
])("PATCH %s is refused before the network is looked up", async (body, words) => {
  const { status, text } = await askService().ask("PATCH", "/networks/evm:zz", body);
  expect(status).toBe(400);
  expect(text).toContain(words);
});

test("a weight may be up to 255, and is 100 by default", async () => {
  const body = { rpc_urls: ["http://a.example.org", { url: "http://b.example.org", weight: 255 }] };
  const { data } = await askService().ask("PATCH", "/networks/evm:sepolia", body);
  expect(data.rpc_urls).toEqual([
    { url: "http://a.example.org", weight: 100 },
    { url: "http://b.example.org", weight: 255 },
  ]);
});
