import { askService } from "./ask-service.ts";

const EVM = { name: "Name", network: "sepolia", network_type: "evm", paused: false, signer_id: "s2" };

test("creates a relayer as recorded: 201, amounts from strings, defaults, masked URLs", async () => {
  const { status, text } = await askService().ask(
    "POST",
    "/relayers",
    '{"id":"evm-9","name":"Name evm-9","network":"sepolia","network_type":"evm","paused":false,"signer_id":"s9","notification_id":"hook-1",' +
      '"policies":{"gas_price_cap":"340282366920938463463374607431768211455","eip1559_pricing":true},' +
      '"custom_rpc_urls":[{"url":"http://127.0.0.1:8545/k/abc","weight":80},{"url":"http://127.0.0.1:8545"}]}',
  );
  expect(status).toBe(201);
  expect(text).toMatch(
    /^\{"success":true,"data":\{"id":"evm-9","name":"Name evm-9","network":"sepolia","network_type":"evm","paused":false,"policies":\{"min_balance":1,"gas_limit_estimation":true,"gas_price_cap":340282366920938463463374607431768211455,"eip1559_pricing":true,"include_revert_data":false\},"signer_id":"s9","notification_id":"hook-1","custom_rpc_urls":\[\{"url":"http:\/\/127\.0\.0\.1:8545\/\*\*\*","weight":80\},\{"url":"http:\/\/127\.0\.0\.1:8545","weight":100\}\],"address":"0x[0-9a-f]{40}","system_disabled":false\},"error":null\}$/,
  );
});

test("reports a missing `paused` as text", async () => {
  const body = '{"id":"evm-x","name":"Name evm-x","network":"localhost-anvil","network_type":"evm","signer_id":"s2"}';
  const { status, text } = await askService().ask("POST", "/relayers", body);
  expect([status, text]).toEqual([400, "Json deserialize error: missing field `paused` at line 1 column 100"]);
});

test.each([
  [{ unknown: 1 }, /^Json deserialize error: unknown field `unknown`, expected one of `id`, `name`/],
  [{ network_type: "tron" }, /^Json deserialize error: unknown variant `tron`/],
  [{ policies: { min_balance: "1e9" } }, /^Json deserialize error: Bad Request: Invalid EVM policy: invalid digit/],
])("reports %j as text", async (change, words) => {
  const { status, text } = await askServiceFor(change);
  expect(status).toBe(400);
  expect(text).toMatch(words);
});

test.each([
  [{ id: "" }, 400, "ID cannot be empty"],
  [{ id: "x".repeat(37) }, 400, "ID must not exceed 36 characters"],
  [{ name: "" }, 400, "Name cannot be empty"],
  [{ network: "" }, 400, "Network cannot be empty"],
  [{ signer_id: "" }, 400, "Invalid relayer policy: Signer ID cannot be empty"],
  [{ custom_rpc_urls: [{ url: "http://x", weight: 101 }] }, 400, "RPC URL weight must be in range 0-100"],
  [
    { network_type: "stellar", network: "testnet" },
    400,
    "Invalid relayer policy: Stellar policy is required. fee_payment_strategy is required",
  ],
  [{ id: "evm-1" }, 500, "An unknown error occurred"],
])("%j: %d", async (change, status, error) => {
  const { text, ...reply } = await askServiceFor(change);
  expect([reply.status, JSON.parse(text)]).toEqual([status, { success: false, data: null, error }]);
});

function askServiceFor(change: object) {
  return askService().ask("POST", "/relayers", { ...EVM, ...change });
}
