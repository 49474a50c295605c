import { urlNode } from "../../../src/chain/node/url-node.ts";
import { simulateCall } from "../../../src/chain/simulation/simulate.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { reply } from "../../helpers/service/reply.ts";

const OWN = `0x${"70".repeat(20)}`;
const TOKEN = `0x${"c0de".repeat(10)}`;
const word = (value: number) => value.toString(16).padStart(64, "0");
const LATE = `0x08c379a0${word(32)}${word(8)}${Buffer.from("too late").toString("hex").padEnd(64, "0")}`;

/** Simulates a call with a user's own node that has only plain `eth_call`, and fails it with an error. */
async function simulated(error: JsonObject) {
  const node = urlNode({
    url: "https://rpc.example.org/v3/k3y-of-a-provider",
    transport: async ({ body = "" }) => {
      const { id, method, params } = JSON.parse(body);
      if (method === "eth_call" && params.length === 2) return reply(200, { jsonrpc: "2.0", id, error });
      return reply(200, { jsonrpc: "2.0", id, error: { code: -32_601, message: "method not found" } });
    },
    clock: manualClock(),
    timeout: 30_000,
    interrupt: new AbortController().signal,
  });
  return await simulateCall(node, { from: OWN, to: TOKEN, value: 0n, data: "0x" }, "latest");
}

test.each<[string, JsonObject]>([
  ["geth", { code: 3, message: "execution reverted: too late", data: LATE }],
  ["Besu", { code: -32_000, message: "Execution reverted", data: LATE }],
  ["Nethermind", { code: -32_015, message: "VM execution error.", data: LATE }],
  ["OpenEthereum", { code: -32_015, message: "VM execution error.", data: `Reverted ${LATE}` }],
  ["Nethermind since 2025", { code: -32_000, message: "execution reverted: too late", data: LATE }],
  ["Anvil and Reth", { code: 3, message: "execution reverted: too late, data: 0x08c379a0", data: LATE }],
  ["a relay of Hedera", { code: 3, message: "execution reverted: CONTRACT_REVERT_EXECUTED", data: LATE }],
  ["Ganache 7", { code: -32_000, message: "VM Exception while processing transaction: revert too late", data: LATE }],
  [
    "Ganache 6",
    {
      code: -32_000,
      message: "VM Exception while processing transaction: revert too late",
      data: { [`0x${"99".repeat(32)}`]: { error: "revert", return: LATE, reason: "too late" }, stack: "", name: "" },
    },
  ],
  [
    "Hardhat",
    {
      code: -32_603,
      message: "Error: VM Exception while processing transaction: reverted with reason string 'too late'",
      data: { message: "too late", data: LATE },
    },
  ],
])("shows the reason of a revert: %s", async (_, error) => {
  expect(await simulated(error)).toMatchObject({
    outcome: "reverted",
    by: "eth_call",
    returnData: LATE,
    reason: { kind: "error", words: "too late" },
  });
});

test.each<[string, JsonObject]>([
  ["geth", { code: -32_000, message: "execution reverted: too late" }],
  ["Nethermind", { code: -32_015, message: "VM execution error.", data: "revert: too late" }],
  ["Ganache", { code: -32_000, message: "VM Exception while processing transaction: revert too late" }],
  [
    "Hardhat",
    {
      code: -32_603,
      message: "Error: VM Exception while processing transaction: reverted with reason string 'too late'",
    },
  ],
])("shows the reason in its words if it has no data: %s", async (_, error) => {
  const found = await simulated(error);
  expect(found).toMatchObject({ outcome: "reverted", reason: { kind: "message", words: "too late" } });
  expect(found).not.toHaveProperty("returnData");
});

test.each<[string, JsonObject, string]>([
  ["geth", { code: -32_000, message: "out of gas" }, "out of gas"],
  ["geth", { code: -32_000, message: "invalid opcode: INVALID" }, "invalid opcode: INVALID"],
  ["geth", { code: -32_000, message: "stack underflow (0 <=> 1)" }, "stack underflow (0 <=> 1)"],
  ["Anvil", { code: -32_603, message: "EVM error InvalidFEOpcode" }, "EVM error InvalidFEOpcode"],
  [
    "Reth",
    { code: -32_003, message: "out of gas: gas required exceeds: 30000" },
    "out of gas: gas required exceeds: 30000",
  ],
  ["Nethermind", { code: -32_015, message: "VM execution error.", data: "OutOfGas" }, "OutOfGas"],
  ["OpenEthereum", { code: -32_015, message: "VM execution error.", data: "Bad instruction fe" }, "Bad instruction fe"],
  [
    "Ganache",
    { code: -32_000, message: "VM Exception while processing transaction: invalid opcode" },
    "VM Exception while processing transaction: invalid opcode",
  ],
])("shows an execution that halts without a revert: %s, %j", async (_, error, words) => {
  expect(await simulated(error)).toMatchObject({ outcome: "reverted", reason: { kind: "message", words } });
});

test.each<[string, JsonObject]>([
  ["Nethermind", { code: 3, message: "execution reverted: revert", data: "0x" }],
  ["geth", { code: 3, message: "execution reverted", data: "0x" }],
  ["Hardhat", { code: -32_603, message: "Error: Transaction reverted without a reason string", data: { data: "0x" } }],
  [
    "Hardhat",
    { code: -32_603, message: "Error: VM Exception while processing transaction: reverted without a reason" },
  ],
  ["Nethermind", { code: -32_015, message: "VM execution error.", data: "revert" }],
  ["Nethermind", { code: -32_015, message: "VM execution error." }],
])("is never taken for a reason if it has none: %s, %j", async (_, error) => {
  const found = await simulated(error);
  expect(found.outcome).toBe("reverted");
  expect(found.reason?.kind ?? "empty").toBe("empty");
});

test("shows only the revert if it has neither", async () =>
  expect(await simulated({ code: -32_000, message: "execution reverted" })).toEqual({
    outcome: "reverted",
    by: "eth_call",
  }));

test.each<[string, JsonObject]>([
  ["missing state", { code: -32_000, message: "missing trie node" }],
  ["data without a revert", { code: -32_000, message: "header not found", data: "0x01" }],
  ["too little gas to begin", { code: -32_000, message: "intrinsic gas too low: have 1, want 21000" }],
  ["too little money", { code: -32_000, message: "insufficient funds for gas * price + value" }],
  ["several results", { code: -32_000, message: "failed", data: { a: { return: LATE }, b: { return: "0x" } } }],
])("is not a revert: %s", async (_, error) => {
  expect(await simulated(error)).toMatchObject({ outcome: "unknown", fault: { kind: "failed" } });
});

test("keeps at most 64 KiB of the data", async () => {
  const found = await simulated({ code: 3, message: "execution reverted", data: `0x${"ab".repeat(2 ** 20)}` });
  expect(found.returnData).toBe(`0x${"ab".repeat(2 ** 16)}`);
});

test("never quotes the key of its URL", async () => {
  const found = await simulated({ code: 3, message: "execution reverted: k3y-of-a-provider", data: "0x" });
  expect(found.reason?.words).toBe("***");
});

test.each([null, 5, [], {}, { data: 5 }, "0xzz", "Reverted", "0x0"])("may have data of any form: %j", async (data) => {
  expect(await simulated({ code: 3, message: "execution reverted", data })).toEqual({
    outcome: "reverted",
    by: "eth_call",
  });
});
