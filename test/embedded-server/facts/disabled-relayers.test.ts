import { localService } from "../openzeppelin/local-service.ts";

const AWAY = "http://node.invalid";
const NODE = "http://127.0.0.1:8546";
const NETWORK = "/networks/evm:localhost";
const RPC_FAULT = [{ method: "NODE", path: "eth_getBalance", status: -32_000, rate: 1 }];

/** The real service, in which a relayer is created with a signer, and seen seconds later. */
function service(...changes: Parameters<typeof localService>) {
  const local = localService(...changes);
  const create = (fields: object = {}) => {
    const base = { id: "new", name: "New", network: "localhost", network_type: "evm", paused: false, signer_id: "new" };
    return local.ask("POST", "/relayers", { ...base, ...fields });
  };
  const relayer = async (seconds: number) => {
    local.at(seconds);
    return (await local.ask("GET", "/relayers/new")).data;
  };
  return { ...local, create, relayer };
}

const reasonsOf = ({ disabled_reason }: Record<string, unknown>) => disabled_reason;
const POOR = { type: "BalanceCheckFailed", details: "Insufficient balance" };

describe("16.5: BalanceCheckFailed", () => {
  test("16.5: is also the reason if the balance could not be read, although the address has enough", async () => {
    const { create, relayer } = service({ failures: RPC_FAULT });
    await create();
    expect(reasonsOf(await relayer(0))).toEqual(POOR);
  });

  test("16.5: says nothing about the balance next to RpcValidationFailed: the relayer is back with its node", async () => {
    const { ask, create, relayer } = service();
    await ask("PATCH", NETWORK, { rpc_urls: [AWAY] });
    await create();
    const { type, details } = reasonsOf(await relayer(0)) as { type: string; details: { type: string }[] };
    expect([type, details.map((each) => each.type)]).toEqual([
      "Multiple",
      ["NonceSyncFailed", "RpcValidationFailed", "BalanceCheckFailed"],
    ]);
    await ask("PATCH", NETWORK, { rpc_urls: [NODE] });
    expect((await relayer(30)).system_disabled).toBe(false);
  });

  test("16.5: disables a relayer that is created before its address is funded, until 10 to 30 s after a transfer", async () => {
    const { ask, at, create, relayer, send, node } = service();
    const created = (await create({ signer_id: "unfunded-1" })).data;
    const id = await send({ to: created.address, value: "1", speed: "fastest" });
    expect(await relayer(9)).toMatchObject({ system_disabled: true, disabled_reason: POOR });
    expect(await node("eth_getBalance", created.address, "latest")).toBe("0x0");
    at(12);
    expect(await node("eth_getBalance", created.address, "latest")).toBe("0x1");
    expect((await relayer(29)).system_disabled).toBe(true);
    expect((await relayer(30)).system_disabled).toBe(false);
    expect((await ask("GET", `/relayers/local-1/transactions/${id}`)).data.status).toBe("confirmed");
  });

  test("16.5: disables a relayer below its own minimum, which is 1 wei if none is set", async () => {
    const { create, relayer, send } = service();
    const policies = { eip1559_pricing: true, min_balance: 3 };
    const created = (await create({ signer_id: "unfunded-1", policies })).data;
    await send({ to: created.address, value: "2", speed: "fastest" });
    expect(reasonsOf(await relayer(600))).toEqual(POOR);
    await send({ to: created.address, value: "1", speed: "fastest" });
    expect((await relayer(700)).system_disabled).toBe(false);
  });
});

describe("16.6: a change of URLs", () => {
  test("16.6: of a network brings its disabled relayers back within 13 to 30 s, if they have no URLs", async () => {
    const { ask, create, relayer } = service();
    await ask("PATCH", NETWORK, { rpc_urls: [AWAY] });
    await create();
    await create({ id: "own", signer_id: "own", custom_rpc_urls: [{ url: AWAY }] });
    await relayer(600);
    await ask("PATCH", NETWORK, { rpc_urls: [NODE] });
    expect((await relayer(630)).system_disabled).toBe(false);
    expect((await ask("GET", "/relayers/own")).data.system_disabled).toBe(true);
  });

  test("16.6: of a network also brings back a relayer of the initial data", async () => {
    const { ask, at } = localService();
    const sepolia = async () => (await ask("GET", "/relayers/eth-sepolia")).data.system_disabled;
    await ask("PATCH", "/networks/evm:sepolia", { rpc_urls: [NODE] });
    at(12);
    expect(await sepolia()).toBe(true);
    at(13);
    expect(await sepolia()).toBe(false);
  });

  test("16.6: of an active relayer to a dead node leaves it active, and transactions wait without a nonce", async () => {
    const { ask, at, send, record, state } = localService();
    const update = (url: string) => ask("PATCH", "/relayers/local-1", { custom_rpc_urls: [{ url }] });
    await update(AWAY);
    const id = await send();
    expect(await record(id, 3600)).toMatchObject({ status: "pending", nonce: null });
    expect(state.relayers.get("local-1")?.system_disabled).toBe(false);
    await update(NODE);
    expect(await record(id, 3609)).toMatchObject({ status: "pending", nonce: null });
    at(3610);
    expect(await record(id, 3611)).toMatchObject({ status: "submitted", nonce: 0 });
  });
});
