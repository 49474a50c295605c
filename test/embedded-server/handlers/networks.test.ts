import { seedState } from "../../helpers/seed-state.ts";
import { askDemo } from "../ask.ts";

const BASE = "/networks/evm%3Abase";

test("lists the networks of every relayer, in pages", async () => {
  const { items, json } = await askDemo()("GET", "/networks?per_page=100");
  const ids = items.map(({ id }) => id);
  for (const { network_type, network } of seedState("demo").relayers.all())
    expect(ids).toContain(`${network_type}:${network}`);
  expect(json?.pagination).toEqual({ current_page: 1, per_page: 100, total_items: items.length });
});

test("returns a network whose ID has a colon, with unmasked RPC URLs", async () => {
  const { status, data } = await askDemo()("GET", BASE);
  expect(status).toBe(200);
  expect(data).toEqual({
    id: "evm:base",
    name: "base",
    network_type: "evm",
    rpc_urls: [{ url: "https://evm-base.rpc.example.org/v2/ZGVtby1rZXk", weight: 100 }],
    explorer_urls: ["https://evm-base.explorer.example.org"],
    average_blocktime_ms: 2000,
    is_testnet: false,
    tags: ["optimism-based"],
    chain_id: 8453,
    required_confirmations: 1,
    features: ["eip1559"],
    symbol: "ETH",
  });
});

test("replaces a network's RPC URLs, as strings or with a weight", async () => {
  const rpc_urls = ["http://127.0.0.1:8545", { url: "http://127.0.0.1:8545/", weight: 5 }];
  const { data } = await askDemo()("PATCH", BASE, { rpc_urls });
  expect(data.rpc_urls).toEqual([{ url: "http://127.0.0.1:8545", weight: 100 }, rpc_urls[1]]);
});

test.each([
  ["PATCH", "/networks/evm:zz", { rpc_urls: ["http://a.example"] }, 404, "Network with ID 'evm:zz' not found"],
  ["PATCH", BASE, { rpc_urls: null }, 400, "At least one field must be provided for update"],
  ["PATCH", BASE, { rpc_urls: "http://a.example" }, 400, "Bad Request"],
  ["PATCH", BASE, { rpc_urls: [7] }, 400, "Bad Request"],
  ["PATCH", BASE, { rpc_urls: [{ url: "http://a.example", weight: 256 }] }, 400, "Bad Request"],
  ["PATCH", BASE, { rpc_urls: ["http://a.example"], name: "x" }, 400, "Bad Request"],
  ["PATCH", BASE, [], 400, "Bad Request"],
] as const)("%s %s %j is refused with %i %s", async (method, path, body, status, message) => {
  const reply = await askDemo()(method, path, body);
  expect([reply.status, reply.json?.message]).toEqual([status, message]);
});

test.each([
  [0, 200],
  [255, 200],
  [-1, 400],
  [1.5, 400],
  [256, 400],
])("responds to the weight %d of an RPC URL with %d", async (weight, status) => {
  const rpc_urls = [{ url: "http://127.0.0.1:8545/", weight }];
  expect((await askDemo()("PATCH", BASE, { rpc_urls })).status).toBe(status);
});
