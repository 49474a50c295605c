import type { ServerState, Update } from "../../../src/embedded-server/state/state.ts";
import { stateFromText, stateToText } from "../../../src/embedded-server/state/state-text.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { askDemo, stoppedClock, UUID } from "../ask.ts";

const AWAY = "https://node.invalid/key";
const NODE = "https://node.example.org/key";
const NEW = { id: "new", name: "New", paused: false, signer_id: "signer-new" };
const ON: Record<string, object> = {
  evm: { network: "sepolia", network_type: "evm" },
  solana: { network: "devnet", network_type: "solana" },
  stellar: { network: "testnet", network_type: "stellar", policies: { fee_payment_strategy: "relayer" } },
};

/** The story, a clock, and what its notifications would receive. */
function world(state: ServerState = seedState("demo")) {
  const clock = stoppedClock();
  const told: Update[] = [];
  state.outbox.push = (...updates: Update[]) => told.push(...updates);
  const ask = askDemo({ store: memoryStore(state), clock });
  const create = (urls: string[], kind = "evm") =>
    ask("POST", "/relayers", { ...NEW, ...ON[kind], custom_rpc_urls: urls.map((url) => ({ url })) });
  const at = async (seconds: number) => {
    clock.time = seconds * 1000;
    return (await ask("GET", "/relayers/new")).data;
  };
  return { state, clock, told, ask, create, at };
}

test("a new relayer is returned before its nodes are checked", async () => {
  const { create, at, told } = world();
  const made = await create([AWAY]);
  expect([made.status, made.data.system_disabled]).toEqual([201, false]);
  expect(await at(0)).toMatchObject({ system_disabled: true });
  expect(told).toMatchObject([{ disabled: { id: "new", system_disabled: true } }]);
});

test.each([
  ["evm", ["NonceSyncFailed", "RpcValidationFailed", "BalanceCheckFailed"]],
  ["solana", ["RpcValidationFailed", "BalanceCheckFailed"]],
  ["stellar", ["SequenceSyncFailed", "RpcValidationFailed", "BalanceCheckFailed"]],
])("a relayer on %s without a reachable node fails every check that needs a node", async (kind, reasons) => {
  const { create, at } = world();
  await create([AWAY, AWAY], kind);
  const { type, details } = (await at(0)).disabled_reason as { type: string; details: { type: string }[] };
  expect([type, details.map((reason) => reason.type)]).toEqual(["Multiple", reasons]);
});

test.each([[[NODE]], [[AWAY, NODE]], [[]]])("a relayer with the nodes %j stays enabled", async (urls) => {
  const { create, at, told } = world();
  await create(urls);
  expect([(await at(3600)).system_disabled, told]).toEqual([false, []]);
});

test("a disabled relayer is checked after 10, 20, 30, 45, and then every 60 s, and enabled when a node is reachable", async () => {
  const { create, at, told, ask } = world();
  await create([AWAY]);
  await at(10 + 20 + 30 + 45 + 60 + 59);
  await ask("PATCH", "/relayers/new", { custom_rpc_urls: [{ url: NODE }] });
  expect((await at(10 + 20 + 30 + 45 + 60 + 59.9)).system_disabled).toBe(true);
  const enabled = await at(10 + 20 + 30 + 45 + 60 + 60);
  expect(enabled).toMatchObject({ system_disabled: false });
  expect(enabled).not.toHaveProperty("disabled_reason");
  expect(told).toMatchObject([{ disabled: { id: "new" } }, { enabled: { system_disabled: false }, retries: 5 }]);
  await at(3600);
  expect(told).toHaveLength(2);
});

test("a relayer without custom nodes uses the nodes of its network, which can be changed while the relayer is disabled", async () => {
  const { create, at, told, ask } = world();
  await ask("PATCH", "/networks/evm:sepolia", { rpc_urls: [AWAY] });
  await create([]);
  expect(await at(9)).toMatchObject({ system_disabled: true });
  await ask("PATCH", "/networks/evm:sepolia", { rpc_urls: [NODE] });
  expect(await at(10)).toMatchObject({ system_disabled: false });
  expect(told.at(-1)).toMatchObject({ retries: 0 });
});

test("a deleted relayer is not checked again", async () => {
  const { create, clock, told, ask, state } = world();
  await create([AWAY]);
  await ask("DELETE", "/relayers/new");
  clock.time = 10_000;
  await ask("GET", "/relayers");
  expect([told.length, state.checks.size]).toEqual([1, 0]);
});

test("pending checks are saved with the state", async () => {
  const { create, state } = world();
  await create([AWAY]);
  const again = stateFromText(stateToText(state));
  expect([...again.checks]).toEqual([...state.checks]);
  expect(again.checks.size).toBe(1);
  const text = stateToText(state).replace('"retries": 0', '"retries": "0"');
  expect(() => stateFromText(text)).toThrow("checks must be a list of health checks");
});

test("transactions wait without a nonce while the node is unreachable, and are sent 10 s after it is reachable", async () => {
  const clock = stoppedClock();
  const ask = askDemo({ clock });
  const relayer = "/relayers/base-hot";
  const at = async (seconds: number) => {
    clock.time = seconds * 1000;
    return (await ask("GET", `${relayer}/transactions/${UUID}`)).data;
  };
  await ask("PATCH", relayer, { custom_rpc_urls: [{ url: AWAY }] });
  const body = { to: "0x90f79bf6eb2c4f870365e785982e1f101e93b906", value: 1, speed: "fast" };
  expect((await ask("POST", `${relayer}/transactions`, body)).status).toBe(200);
  expect(await at(3600)).toMatchObject({ status: "pending", nonce: null });
  expect((await ask("GET", relayer)).data.system_disabled).toBe(false);
  await ask("PATCH", relayer, { custom_rpc_urls: [{ url: NODE }] });
  expect((await at(3609)).status).toBe("pending");
  expect(await at(3610)).toMatchObject({ status: "sent", nonce: 2 });
});
