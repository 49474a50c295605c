import { cli, exits, SERVER, says } from "../../../helpers/cli.ts";
import { jam, MALFORMED } from "./jam.ts";

const EVM = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

describe("relayers unstick --dry-run", () => {
  test("shows what has the chain's next nonce, why it is not mined, and what helps", async () => {
    const { stdout, writes } = await exits(0, "--demo relayers unstick eth-main-1 --dry-run -o json");
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
          message: "max fee 12.5 gwei is below the base fee, 12.6 gwei",
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

  test("has the same members in every case, and amounts as digits", async () => {
    const keys = async (id: string) => {
      const { stdout } = await cli(`--demo relayers unstick ${id} --dry-run -o json`);
      const { head, findings, step, ...rest } = JSON.parse(stdout);
      return [rest, head, findings[0], step].map((part) => Object.keys(part ?? {}));
    };
    const all = [
      [
        "relayer_id",
        "stuck",
        "waiting",
        "nonce",
        "base_fee",
        "balance",
        "by_record",
        "other_steps",
        "taken",
        "missing",
      ],
      ["nonce", "id", "status", "hash", "to", "value", "max_fee", "created_at"],
      ["code", "severity", "nonce", "id", "message"],
      ["action", "id", "discards_payment", "message", "command"],
    ];
    expect(await keys("eth-main-1")).toEqual(all);
    expect(await keys("polygon-bulk")).toEqual(all);
    expect(await keys("eth-main-2")).toEqual(all);
    const { stdout } = await cli("--demo relayers unstick base-hot --dry-run -o json");
    expect(JSON.parse(stdout)).toMatchObject({ stuck: false, head: null, step: null, other_steps: [], taken: [] });
  });

  test("shows the same as a block on a terminal", async () => {
    const { stdout } = await cli("--demo relayers unstick polygon-bulk --dry-run", { terminal: true, columns: 80 });
    expect(stdout).toMatchInlineSnapshot(`
      "[2mrelayer[22m    polygon-bulk
      [2mstate[22m      [31mstuck: 2 transactions are not mined[39m
      [2mhead[22m       nonce 1204, sent
                 d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293
                 0 POL to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8
      [2mcause[22m      [31mthe node refused it: max fee 30 gwei is below the base fee, 31 gwei[39m
      [2malso[22m       [33mnonce 1205: it can never be signed: its receiver is malformed: an[39m
                 [33maddress has 40 hex digits, this one has 39[39m
                 5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8d
      [2mnext[22m       send it again at a higher fee, at speed fastest
      "
    `);
  });
});

describe("relayers unstick --curl", () => {
  test("shows the request of the next step, and the diagnosis on stderr", async () => {
    const { stdout, stderr, writes } = await exits(0, "--demo relayers unstick eth-main-1 --curl");
    expect(stdout).toMatch(/^curl -X PUT /);
    expect(stdout).toContain(`'http://demo.localhost/api/v1/relayers/eth-main-1/transactions/${EVM}'`);
    expect(stderr).toContain("cause    max fee 12.5 gwei is below the base fee, 12.6 gwei\n");
    expect(writes.filter(({ method }) => method !== "POST")).toEqual([]);
  });

  test("shows nothing if nothing is stuck", async () => {
    const { stdout, stderr, exitCode } = await cli("--demo relayers unstick base-hot --curl");
    expect([exitCode, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("note: no request would be sent: nothing is stuck\n");
  });

  test("ends as the command would if no step that is allowed helps", async () => {
    const { stdout, stderr, exitCode } = await cli("--demo relayers unstick eth-main-2 --curl");
    expect([exitCode, stdout]).toEqual([6, ""]);
    expect(stderr).toContain("hint: relayctl --demo relayers resume eth-main-2\n");
  });

  test("shows all requests of a raised cap, and a cancellation only if it is allowed", async () => {
    const { send, run } = jam({ relayer: { policies: { eip1559_pricing: true, gas_price_cap: 600_000_000 } } });
    const [low = ""] = await send({});
    const raised = await run("relayers unstick local-1 --curl --raise-cap");
    expect(raised.stdout.match(/curl -X [A-Z]+/g)).toEqual(["curl -X PATCH", "curl -X PUT", "curl -X PATCH"]);
    const canceled = await run("relayers unstick local-1 --curl --cancel");
    expect(canceled.stdout).toContain(`curl -X DELETE '${SERVER}/api/v1/relayers/local-1/transactions/${low}'`);
    expect((await run("relayers unstick local-1 --curl")).exitCode).toBe(6);
  });

  test("shows the transfer of nothing for one that can never be signed", async () => {
    const { send, run } = jam();
    const [bad = ""] = await send(MALFORMED, {});
    const { stdout, writes } = await run("relayers unstick local-1 --curl");
    expect(stdout).toContain(`curl -X PUT '${SERVER}/api/v1/relayers/local-1/transactions/${bad}'`);
    expect(stdout).toContain('"value":0');
    expect(writes.filter(({ method }) => method !== "POST")).toEqual([]);
  });
});

describe("relayers unstick", () => {
  test.each(["xlm-treasury", "sol-pay"])("refuses %s, whose transactions do not wait for each other", (id) =>
    says(2, `--demo relayers unstick ${id}`, `hint: relayctl --demo tx list ${id}`),
  );

  test("reports a relayer that does not exist", () => exits(5, "--demo relayers unstick none"));

  test("sends nothing if nothing is stuck", async () => {
    const { stdout, writes } = await exits(0, "--demo relayers unstick base-hot -o json");
    expect(JSON.parse(stdout)).toMatchObject({ stuck: false, waiting: 0, head: null, step: null });
    expect(writes.filter(({ method }) => method !== "POST")).toEqual([]);
  });
});
