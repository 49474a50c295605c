import { askDemo, UUID } from "../ask.ts";

const BODY = { name: "New", network: "sepolia", network_type: "evm", signer_id: "s-new", paused: false };

test("responds with 201 and the relayer, and stores the relayer", async () => {
  const ask = askDemo();
  const { status, data } = await ask("POST", "/relayers", BODY);
  expect(status).toBe(201);
  expect(data).toMatchObject({
    ...BODY,
    id: UUID,
    system_disabled: false,
    address: expect.stringMatching(/^0x.{40}$/),
  });
  expect((await ask("GET", `/relayers/${UUID}`)).data).toEqual(data);
});

test("stores an ID, policies, and RPC URLs, and masks the URLs", async () => {
  const ask = askDemo();
  const urls = [{ url: "https://rpc.example.org/key", weight: 80 }, { url: "https://b.example.org" }];
  const policies = { min_balance: 5 };
  const { data } = await ask("POST", "/relayers", { ...BODY, id: "new", custom_rpc_urls: urls, policies });
  expect(data).toMatchObject({
    id: "new",
    policies,
    custom_rpc_urls: [
      { url: "https://rpc.example.org/***", weight: 80 },
      { url: "https://b.example.org", weight: 100 },
    ],
  });
});

test.each([
  [{ paused: undefined }, 400, "Bad Request"],
  [{ unknown: 1 }, 400, "Bad Request"],
  [{ id: "a.b" }, 400, "Bad Request"],
  [{ policies: { max_fee: 1 } }, 400, "Bad Request"],
  [{ network_type: "stellar" }, 400, "Bad Request"],
  [{ network_type: "stellar", policies: { max_fee: 1 } }, 400, "Bad Request"],
  [{ notification_id: "nothing" }, 404, "Notification with ID 'nothing' not found"],
])("refuses %j with %d: %s", async (change, status, message) => {
  const reply = await askDemo()("POST", "/relayers", { ...BODY, ...change });
  expect({ status: reply.status, message: reply.json?.message }).toEqual({ status, message });
});

test.each([
  ["stellar", "testnet", /^G[A-Z2-7]{55}$/],
  ["solana", "devnet", /^[1-9A-HJ-NP-Za-km-z]{32,44}$/],
])("assigns an address in the format of %s", async (network_type, network, form) => {
  const policies = { fee_payment_strategy: "relayer" };
  const { data } = await askDemo()("POST", "/relayers", { ...BODY, network_type, network, policies });
  expect(data.address).toMatch(form);
});
