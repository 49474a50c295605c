import { describe, expect, test } from "vitest";
import { cli } from "../../../helpers/cli.ts";

const EVM = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

describe("relayers unstick --dry-run", () => {
  test("shows what has the chain's next nonce, why it is not mined, and what helps", async () => {
    const { stdout, exitCode, writes } = await cli("--demo relayers unstick eth-main-1 --dry-run -o json");
    expect(exitCode).toBe(0);
    expect(writes.filter(({ method }) => method !== "POST")).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({
      relayer_id: "eth-main-1",
      stuck: true,
      waiting: 4,
      nonce: 7,
      by_record: false,
      head: { nonce: 7, id: EVM, status: "submitted", value: "200000000000000000", max_fee: "12500000000" },
      findings: [
        {
          code: "underpriced",
          severity: "fail",
          message: "it pays 12.5 gwei at most, below the base fee of 12.6 gwei",
        },
        { code: "used", severity: "note", nonce: 5 },
      ],
      step: { action: "bump", id: EVM, discards_payment: false },
      other_steps: [],
      taken: [],
      missing: [],
    });
  });

  test("shows a later transaction that will stop the queue", async () => {
    const { stdout } = await cli("--demo relayers unstick polygon-bulk --dry-run -o json");
    expect(JSON.parse(stdout)).toMatchObject({
      waiting: 2,
      findings: [
        { code: "below_base_fee", nonce: 1204 },
        { code: "unsignable", severity: "warn", nonce: 1205 },
      ],
      step: { action: "bump" },
    });
  });

  test("shows what only the records prove if the chain cannot be asked", async () => {
    const { stdout } = await cli("--demo relayers unstick eth-main-2 --dry-run -o json");
    expect(JSON.parse(stdout)).toMatchObject({
      stuck: null,
      nonce: null,
      by_record: true,
      findings: [{ code: "in_progress" }, { code: "paused" }, { code: "chain_unread" }],
      step: { action: "resume", command: "relayctl --demo relayers resume eth-main-2" },
      missing: ["Relayer paused"],
    });
  });

  test("shows the same as a block on a terminal", async () => {
    const { stdout } = await cli("--demo relayers unstick polygon-bulk --dry-run", { terminal: true, columns: 80 });
    expect(stdout).toMatchInlineSnapshot(`
      "[2mrelayer[22m    polygon-bulk
      [2mstate[22m      [31mstuck: 2 transactions are not mined[39m
      [2mhead[22m       nonce 1204, sent
                 d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293
                 0 wei to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8
      [2mcause[22m      [31mthe node refused it: its fee of 30 gwei is below the base fee of 31 gwei[39m
      [2malso[22m       [33mnonce 1205: it can never be signed: its receiver is malformed: an address has 40 hex digits, this one has 39[39m
                 5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8d
      [2mnext[22m       send it again at a higher fee, at speed fastest
      "
    `);
  });
});

describe("relayers unstick", () => {
  test.each(["xlm-treasury", "sol-pay"])("refuses %s, whose transactions do not wait for each other", async (id) => {
    const { stderr, exitCode } = await cli(`--demo relayers unstick ${id}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`hint: relayctl --demo tx list ${id}`);
  });

  test("reports a relayer that does not exist", async () => {
    const { exitCode } = await cli("--demo relayers unstick none");
    expect(exitCode).toBe(5);
  });

  test("sends nothing if nothing is stuck", async () => {
    const { stdout, exitCode, writes } = await cli("--demo relayers unstick base-hot -o json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ stuck: false, waiting: 0, head: null, step: null });
    expect(writes.filter(({ method }) => method !== "POST")).toEqual([]);
  });
});
