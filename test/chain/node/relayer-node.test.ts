import { relayerNode } from "../../../src/chain/node/node.ts";
import { type Client, createClient } from "../../../src/client/client.ts";
import { openTransport } from "../../../src/client/transport.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import { type Failure, RelayctlError } from "../../../src/errors.ts";
import { open } from "../../client/transport/network.ts";
import { answers } from "../../helpers/service/raw-server.ts";
import { testClientContext } from "../../helpers/test-link.ts";

type Rpc = Client["relayers"]["rpc"];

const rpcOf = (respond: Rpc) => ({ rpc: respond });
const resulting =
  (data: JsonObject): Rpc =>
  () =>
    Promise.resolve({ data, body: new Uint8Array(), unconfirmed: [] });
const failing =
  (failure: Failure, options = {}): Rpc =>
  () =>
    Promise.reject(new RelayctlError(failure, "words", options));

test("gets a read-only request", async () => {
  const sent: unknown[] = [];
  const rpc: Rpc = (id, request, options) => {
    sent.push([id, request, options]);
    return resulting({ jsonrpc: "2.0", result: "0x1", id: 1 })(id, request);
  };
  expect(await relayerNode(rpcOf(rpc), "evm-1").ask("eth_chainId", [])).toEqual({ value: "0x1" });
  expect(sent).toEqual([["evm-1", { jsonrpc: "2.0", method: "eth_chainId", params: [] }, { withNewId: true }]]);
});

test("is not believed after a shifted response, and the connection is not kept", async () => {
  const ids: number[] = [];
  const server = await open((socket, request) => {
    ids.push(JSON.parse(request.split("\r\n\r\n")[1] ?? "").id);
    const id = ids.length === 2 ? ids[0] : ids.at(-1);
    answers(200, JSON.stringify({ jsonrpc: "2.0", id, result: `0x${ids.length}` }))(socket, request);
  });
  const transport = openTransport({ origin: server.origin, caCertificates: [] });
  const node = relayerNode(createClient(testClientContext(transport)).relayers, "evm-1");
  expect(await node.ask("eth_chainId", [])).toEqual({ value: "0x1" });
  expect(await node.ask("eth_chainId", [])).toMatchObject({ fault: { kind: "unreadable" } });
  expect(await node.ask("eth_chainId", [])).toEqual({ value: "0x3" });
  expect([new Set(ids).size, server.connections()]).toEqual([3, 2]);
});

test("is never sent a method that may write", async () => {
  const node = relayerNode(
    rpcOf(() => Promise.reject(new Error("sent"))),
    "evm-1",
  );
  await expect(node.ask("eth_sendRawTransaction", ["0x00"])).rejects.toMatchObject({ failure: "internal" });
});

test.each<[string, number, string]>([
  ["a revert", 3, "reverted"],
  ["a missing method", -32_601, "no_method"],
  ["a missing method of Hardhat", -32_004, "no_method"],
  ["missing state", -32_000, "failed"],
  ["a limit", -32_005, "limited"],
])("reports %s by the node's own code", async (_, code, kind) => {
  const cause = { code: -32_603, message: "Internal error", description: `RPC error occurred (code: ${code})` };
  const node = relayerNode(rpcOf(failing("rejected", { cause, because: [cause.description] })), "evm-1");
  expect(await node.ask("eth_call", [])).toMatchObject({
    fault: { kind, code, words: `words: RPC error occurred (code: ${code})` },
  });
});

test.each<[Failure, object, string]>([
  ["conflict", { http: { status: 403, method: "POST", path: "/" } }, "refused"],
  ["network", {}, "unreachable"],
  ["server", { http: { status: 502, method: "POST", path: "/" } }, "unreachable"],
  ["server", { http: { status: 200, method: "POST", path: "/" } }, "unreadable"],
  ["rate_limited", {}, "limited"],
  ["auth", {}, "failed"],
  ["not_found", {}, "failed"],
])("reports a failure of the service, %s %j, as a fault", async (failure, options, kind) => {
  expect(await relayerNode(rpcOf(failing(failure, options)), "evm-1").ask("eth_call", [])).toMatchObject({
    fault: { kind, words: "words", cause: { failure } },
  });
});

test("ends the command after an interrupt", async () => {
  const node = relayerNode(rpcOf(failing("interrupted")), "evm-1");
  await expect(node.ask("eth_call", [])).rejects.toMatchObject({ failure: "interrupted" });
});
