import { describe, expect, test } from "vitest";
import { askDemo } from "../ask.ts";

describe("balances", () => {
  test("are integers of any size with the unit of their network", async () => {
    const ask = askDemo();
    expect((await ask("GET", "/relayers/polygon-bulk/balance")).text).toContain(
      '"data":{"balance":30000000000000000000,"unit":"wei"}',
    );
    expect((await ask("GET", "/relayers/sol-pay/balance")).data).toEqual({ balance: 30000000, unit: "lamport" });
  });

  test("are below the minimum for a relayer that was disabled for its balance", async () => {
    expect((await askDemo()("GET", "/relayers/xlm-pay/balance")).data).toEqual({ balance: 25000000, unit: "stroop" });
  });

  test("of an unknown relayer are a 404", async () => {
    expect((await askDemo()("GET", "/relayers/nothing/balance")).status).toBe(404);
  });
});

describe("status", () => {
  test.each([
    ["eth-main-1", { network_type: "evm", balance: "1500000000000000000", nonce: expect.stringMatching(/^\d+$/) }],
    ["xlm-treasury", { network_type: "stellar", sequence_number: expect.stringMatching(/^\d{10,}$/) }],
    ["sol-pay", { network_type: "solana", balance: "30000000", paused: false, system_disabled: false }],
  ])("of %s has the fields of its network type", async (id, fields) => {
    expect((await askDemo()("GET", `/relayers/${id}/status`)).data).toMatchObject(fields);
  });

  test("has the number of pending transactions and the time of the last confirmation", async () => {
    const ask = askDemo();
    const { items } = await ask("GET", "/relayers/eth-main-1/transactions?per_page=100");
    const pending = items.filter(({ status }) => ["pending", "sent", "submitted"].includes(String(status)));
    const { data } = await ask("GET", "/relayers/eth-main-1/status");
    expect(data.pending_transactions_count).toBe(pending.length);
    expect(data.last_confirmed_transaction_timestamp).toBe(
      items
        .map((each) => each.confirmed_at)
        .sort()
        .reverse()
        .find(Boolean) ?? null,
    );
  });
});
