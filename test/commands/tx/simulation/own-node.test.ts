import type { Transport } from "../../../../src/client/transport/transport.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { SERVER, TOKEN } from "../../../helpers/test-app.ts";
import { BUMP, REPLACE, SEND, simulated, word } from "./simulating-world.ts";

const ORIGIN = "https://rpc.example.org";
const KEY = "0123456789abcdef0123456789abcdef";
const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_NODE_LOCALHOST: `${ORIGIN}/v3/${KEY}` };
const PANIC = `0x4e487b71${word(0x11)}`;
const REVERTED = { code: 3, message: "execution reverted", data: PANIC };

/** A node of the user that has only plain `eth_call`, which fails with an error. */
function ownNode(error: object, chainId = "0x1"): Transport {
  const results: Readonly<Record<string, unknown>> = {
    eth_chainId: chainId,
    eth_getTransactionCount: "0x4",
    eth_getCode: "0x6080",
  };
  return async ({ body = "" }) => {
    const { id, method, params } = JSON.parse(body);
    if (method === "eth_call" && params.length === 2) return reply(200, { jsonrpc: "2.0", id, error });
    const result = results[method];
    if (result !== undefined) return reply(200, { jsonrpc: "2.0", id, result });
    return reply(200, { jsonrpc: "2.0", id, error: { code: -32_601, message: "method not found" } });
  };
}

const run = (line: string, transport: Transport) =>
  simulated(
    `${line} --simulate --yes`,
    { ways: [], outcome: () => ({ isReverted: false, data: "0x" }) },
    { env, nodes: { [ORIGIN]: transport } },
  );

test.each([SEND, REPLACE, BUMP])("simulates in place of the relayer's, with its own reason: %s", async (line) => {
  const ran = await run(line, ownNode(REVERTED));
  expect([ran.exitCode, ran.sent]).toEqual([7, []]);
  expect(ran.stderr).toContain("error: the call would revert: Panic(0x11): arithmetic overflow or underflow\n");
  expect(ran.asked.map(({ method }) => method)).not.toContain("eth_call");
  expect(ran.stdout + ran.stderr).not.toContain(KEY);
});

test("shows that a call runs out of gas", async () => {
  const ran = await run(SEND, ownNode({ code: -32_000, message: "out of gas" }));
  expect(ran.stderr).toContain("error: the call would revert: out of gas\n");
});

test("of another chain is not asked, and the transaction is sent with a note", async () => {
  const ran = await run(SEND, ownNode(REVERTED, "0x2"));
  expect(ran.stderr).toMatch(/^note: not simulated: .* is on chain 2, the network is chain 1$/m);
  expect(ran.sent).toHaveLength(1);
});

test("that does not respond holds up nothing", async () => {
  const broken: Transport = async () => reply(503);
  const ran = await run(SEND, broken);
  expect(ran.stderr).toMatch(/^note: not simulated: .*503$/m);
  expect(ran.sent).toHaveLength(1);
});
