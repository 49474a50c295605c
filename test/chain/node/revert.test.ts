import { describe, expect, test } from "vitest";
import { urlNode } from "../../../src/chain/node/url-node.ts";
import { simulate } from "../../../src/chain/simulation/simulate.ts";
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
  return await simulate(node, { from: OWN, to: TOKEN, value: 0n, data: "0x" }, "latest");
}

describe("the error of a user's own node", () => {
  test.each<[string, JsonObject]>([
    ["geth", { code: 3, message: "execution reverted: too late", data: LATE }],
    ["Besu", { code: -32_000, message: "Execution reverted", data: LATE }],
    ["Nethermind", { code: -32_015, message: "VM execution error.", data: LATE }],
    ["OpenEthereum", { code: -32_015, message: "VM execution error.", data: `Reverted ${LATE}` }],
    [
      "Hardhat",
      { code: -32_603, message: "VM Exception while processing transaction: reverted", data: { data: LATE } },
    ],
  ])("shows the reason of a revert: %s", async (_, error) => {
    expect(await simulated(error)).toMatchObject({
      outcome: "reverted",
      by: "eth_call",
      returnData: LATE,
      reason: { kind: "error", words: "too late" },
    });
  });

  test("shows the reason in its words if it has no data", async () => {
    const found = await simulated({ code: -32_000, message: "execution reverted: too late" });
    expect(found).toMatchObject({ outcome: "reverted", reason: { kind: "message", words: "too late" } });
    expect(found).not.toHaveProperty("returnData");
  });

  test("shows only the revert if it has neither", async () => {
    expect(await simulated({ code: -32_000, message: "execution reverted" })).toEqual({
      outcome: "reverted",
      by: "eth_call",
    });
  });

  test.each<[string, JsonObject]>([
    ["missing state", { code: -32_000, message: "missing trie node" }],
    ["data without a revert", { code: -32_000, message: "header not found", data: "0x01" }],
    ["another failure of the machine", { code: -32_015, message: "VM execution error.", data: "Out of gas" }],
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

  test.each([null, 5, [], {}, { data: 5 }, "0xzz", "Reverted", "0x0"])(
    "may have data of any form: %j",
    async (data) => {
      expect(await simulated({ code: 3, message: "execution reverted", data })).toEqual({
        outcome: "reverted",
        by: "eth_call",
      });
    },
  );
});
