import { expect, test } from "vitest";
import { checkHealth } from "../../src/demo/relayer-health.ts";
import { seedState } from "../../src/demo/seed.ts";
import { askDemo, START } from "./ask.ts";

const AWAY = "https://node.invalid/key";
const NODE = "https://node.example.org/key";
const DISABLED = {
  system_disabled: true,
  disabled_reason: { type: "RpcValidationFailed", details: "RPC endpoint validation failed" },
};

/** What becomes of a new relayer with these nodes. */
function checked(...urls: string[]) {
  const state = seedState("demo");
  const relayer = { id: "new", system_disabled: false, custom_rpc_urls: urls.map((url) => ({ url, weight: 100 })) };
  state.relayers.put(relayer);
  checkHealth(state, relayer, START);
  return { relayer: state.relayers.get("new"), outbox: state.outbox };
}

test("a relayer none of whose nodes can be reached is disabled, and that is to be told", () => {
  const { relayer, outbox } = checked(AWAY, AWAY);
  expect(relayer).toMatchObject(DISABLED);
  expect(outbox).toEqual([{ disabled: relayer, moment: START }]);
});

test.each([[[NODE]], [[AWAY, NODE]], [[]]])("a relayer with the nodes %j works", (urls) => {
  const { relayer, outbox } = checked(...urls);
  expect([relayer?.system_disabled, outbox]).toEqual([false, []]);
});

test("a creation is answered before its nodes are looked at", async () => {
  const ask = askDemo();
  const body = { id: "new", name: "New", network: "sepolia", network_type: "evm", signer_id: "signer-new" };
  const made = await ask("POST", "/relayers", { ...body, paused: false, custom_rpc_urls: [{ url: AWAY }] });
  expect([made.status, made.data.system_disabled]).toEqual([201, false]);
  expect((await ask("GET", "/relayers/new")).data).toMatchObject(DISABLED);
});
