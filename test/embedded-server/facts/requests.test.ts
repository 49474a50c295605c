import { LOCAL } from "../ask.ts";
import { localService, TO } from "../openzeppelin/local-service.ts";

const GWEI = 1_000_000_000;
const AWAY = "http://node.invalid/v2/key";
const ZERO = `0x${"0".repeat(40)}`;

const patched = async (relayer: string, policies: object) => {
  const { status, text } = await localService().ask("PATCH", `/relayers/${relayer}`, { policies });
  return [status, JSON.parse(text).error];
};

test.each([
  ["POST", "/relayers"],
  ["PATCH", "/relayers/local-1"],
  ["POST", "/relayers/local-1/transactions"],
  ["POST", "/relayers/local-1/rpc"],
])("13.8: a body that is not JSON is refused as text by %s %s", async (method, path) => {
  const { status, headers, text } = await localService().ask(method as "POST" | "PATCH", path, "{");
  expect([status, text]).toEqual([400, "Json deserialize error: EOF while parsing an object at line 1 column 1"]);
  expect(headers["content-type"]).toContain("text/plain");
});

test.each(["page=99", "page=0", "per_page=0"])("13.9: as in memory, relayers?%s is an empty list", async (query) => {
  const { status, text } = await localService().ask("GET", `/relayers?${query}`);
  expect([status, JSON.parse(text).data]).toEqual([200, []]);
});

test("13.10: the status of a relayer whose node cannot be reached is 500, with the node's URL in the text", async () => {
  const { ask } = localService({ relayer: { custom_rpc_urls: [{ url: AWAY, weight: 100 }] } });
  const { status, text } = await ask("GET", "/relayers/local-1/status");
  expect([status, JSON.parse(text).error]).toEqual([500, `Transport error: error sending request for url (${AWAY})`]);
});

describe("13.11: policies", () => {
  test("13.11: have an unchecked whitelist, whose empty list refuses every receiver but the relayer and zero", async () => {
    const { ask } = localService();
    const set = (whitelist_receivers: string[]) =>
      ask("PATCH", "/relayers/local-1", { policies: { whitelist_receivers } });
    expect((await set(["any words"])).status).toBe(200);
    await set([]);
    const statuses = [TO, LOCAL, ZERO].map(async (to) => {
      const body = { to, value: "1", speed: "fast" };
      return (await ask("POST", "/relayers/local-1/transactions", body)).status;
    });
    expect(await Promise.all(statuses)).toEqual([400, 200, 200]);
  });

  test("13.11: clear fee_payment_strategy with null on Solana, and refuse that on Stellar", async () => {
    expect((await patched("sol-pay", { fee_payment_strategy: null }))[0]).toBe(200);
    expect((await patched("xlm-treasury", { fee_payment_strategy: null }))[0]).toBe(400);
  });
});

describe("15.12: the service's market price", () => {
  test.each([
    [1000, 10_850_000_000],
    [2000, 10_850_000_000],
    [12_000, 3_130_697_345],
    [120_000, 1_850_000_000],
  ])(
    "15.12: with a block every %d ms, leaves the base fee room to rise for 90 s",
    async (average_blocktime_ms, fee) => {
      const { send, record } = localService({ network: { average_blocktime_ms } });
      const tip = "850000000";
      expect(await record(await send(), 5)).toMatchObject({
        max_fee_per_gas: String(fee),
        max_priority_fee_per_gas: tip,
      });
    },
  );

  test("15.12: a bump takes the market's members where they are a tenth above the old ones, then the cap", async () => {
    const { send, record, replace } = localService();
    const id = await send({ max_fee_per_gas: 2 * GWEI, max_priority_fee_per_gas: GWEI, speed: undefined });
    await record(id, 5);
    const market = { max_fee_per_gas: "10850000000", max_priority_fee_per_gas: "1100000000", speed: "fast" };
    expect(await replace(id, { speed: undefined, gas_price: 1 })).toMatchObject(market);
  });

  test("15.12: the worker does not cap a bump of what does nothing", async () => {
    const { send, record, replace } = localService({ relayer: { policies: { gas_price_cap: 10_850_000_000 } } });
    const id = await send();
    await record(id, 5);
    await replace(id, { to: LOCAL, value: "0", data: "0x" });
    expect(await record(id, 120)).toMatchObject({ status: "confirmed", max_fee_per_gas: "13128500000" });
  });
});

test("16.7: a transaction can be read by its sender and nonce, before and after it is mined", async () => {
  const { send, record, node } = localService();
  const id = await send();
  const { hash } = await record(id, 5);
  const read = () => node("eth_getTransactionBySenderAndNonce", LOCAL, "0x0");
  expect(await read()).toMatchObject({ hash, blockNumber: null });
  await record(id, 60);
  expect(await read()).toMatchObject({ hash, blockNumber: expect.stringMatching(/^0x/) });
  expect(await node("eth_getTransactionBySenderAndNonce", LOCAL, "0x1")).toBe(null);
});

describe("disabled relayers", () => {
  const AWAY = "http://node.invalid";
  const NODE = "http://127.0.0.1:8546";
  const NETWORK = "/networks/evm:localhost";
  const RPC_FAULT = [{ method: "NODE", path: "eth_getBalance", status: -32_000, rate: 1 }];

  /** The real service, in which a relayer is created with a signer, and seen seconds later. */
  function service(...changes: Parameters<typeof localService>) {
    const local = localService(...changes);
    const create = (fields: object = {}) => {
      const base = {
        id: "new",
        name: "New",
        network: "localhost",
        network_type: "evm",
        paused: false,
        signer_id: "new",
      };
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
});
