import { askService } from "./ask-service.ts";

const EVM = { name: "Name", network: "sepolia", network_type: "evm", paused: false, signer_id: "s2" };

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
  [{ id: "" }, "ID cannot be empty"],
  [{ id: "x".repeat(37) }, "ID must not exceed 36 characters"],
  [{ name: "" }, "Name cannot be empty"],
  [{ network: "" }, "Network cannot be empty"],
  [{ signer_id: "" }, "Invalid relayer policy: Signer ID cannot be empty"],
  [{ custom_rpc_urls: [{ url: "http://x", weight: 101 }] }, "RPC URL weight must be in range 0-100"],
])("refuses %j", async (change, error) => {
  const { status, text } = await askServiceFor(change);
  expect([status, JSON.parse(text)]).toEqual([400, { success: false, data: null, error }]);
});

function askServiceFor(change: object) {
  return askService().ask("POST", "/relayers", { ...EVM, ...change });
}
