import { Problems } from "../../../../src/contract/problems.ts";
import { readThresholds } from "../../../../src/views/relayer-status/thresholds.ts";
import { cli, ends, exits, printedError, says } from "../../../helpers/cli.ts";

const CHECK = "relayers status base-hot eth-main-1 polygon-bulk sol-pay --check";

describe("a check with thresholds", () => {
  test("passes if none is crossed", () => exits(0, `${CHECK} --crit balance<0.05eth --warn runway<1m`));

  test("fails with each crossed threshold, its severity, and the value", async () => {
    const ran = await exits(13, `${CHECK} --crit balance<0.2eth --warn pending>4`);
    expect(ran.stderr).toContain("error: the check failed: 1 critical, 1 warning of 4 relayers\n");
    expect(ran.stderr).toContain("base-hot: critical: balance<0.2eth (0.15 ETH)\n");
    expect(ran.stderr).toContain("eth-main-1: warning: pending>4 (5 pending)\n");
  });

  test("lists them as details of the error in JSON", async () => {
    const ran = await cli(`${CHECK} --crit balance<0.2eth -o json`);
    const error = printedError(ran.stderr);
    expect(error).toMatchObject({
      code: "unmet",
      exit_code: 13,
      details: [{ where: "base-hot", rule: "critical: balance<0.2eth (0.15 ETH)" }],
    });
  });

  test.each([
    ["balance<1000pol", ["polygon-bulk"]],
    ["balance<1000sol", ["sol-pay"]],
    ["balance<1000eth", ["base-hot", "eth-main-1"]],
    ["balance<1000000gwei", []],
    ["balance<=150000000gwei", ["base-hot"]],
    ["oldest>1h", ["eth-main-1"]],
    ["oldest>1m", ["eth-main-1", "polygon-bulk", "sol-pay"]],
    ["pending>=5", ["eth-main-1"]],
  ])("%s is crossed by %j", async (threshold, ids) => {
    const ran = await exits(ids.length === 0 ? 0 : 13, `${CHECK} --warn ${threshold}`);
    const named = ["base-hot", "eth-main-1", "polygon-bulk", "sol-pay"].filter((id) =>
      ran.stderr.includes(`${id}: warning: ${threshold}`),
    );
    expect(named).toEqual(ids);
  });

  test("notes once which relayers have another coin", async () => {
    const ran = await cli(`${CHECK} --crit balance<1wei --warn balance<1pol`);
    expect(ran.stderr).toContain("note: balance<1wei does not apply to relayers of other coins: sol-pay\n");
    expect(ran.stderr).toContain(
      "note: balance<1pol does not apply to relayers of other coins: base-hot, eth-main-1, sol-pay\n",
    );
    expect(ran.stderr.match(/other coins/g)).toHaveLength(2);
  });

  test("still fails for a relayer that is paused or disabled", () =>
    says(13, "relayers status --check --crit balance<1wei", "the check failed: 2 disabled, 1 paused of 8 relayers"));
});

describe("a malformed threshold", () => {
  test.each([
    ["--crit balance<0.05", "--crit balance<0.05: needs a unit, e.g. balance<0.05eth"],
    ["--crit balance<5e3eth", "--crit balance<5e3eth: "],
    ["--crit balance<x", "--crit balance<x: is not an amount"],
    ["--warn runway<3", "--warn runway<3: needs a time with its unit, e.g. runway<3d"],
    ["--warn runway<3dx", "--warn runway<3dx: needs a time with its unit, e.g. runway<3d"],
    ["--warn runway<3eth", "--warn runway<3eth: needs a time with its unit"],
    ["--warn pending>1.5", "--warn pending>1.5: needs a whole number"],
    ["--warn ballance<1eth", '--warn ballance<1eth: unknown field "ballance" (did you mean balance?)'],
    ["--warn runway", "--warn runway: needs FIELD OP VALUE"],
    ["--warn runway=3d", "--warn runway=3d: needs FIELD OP VALUE"],
  ])("%s is rejected before any request", (flags, words) =>
    says({ exitCode: 2, requests: [] }, `relayers status --check ${flags}`, words),
  );

  test("needs --check, and no --brief", async () => {
    await says({ exitCode: 2, requests: [] }, "relayers status --warn runway<3d", "--warn: needs --check");
    expect(await cli("relayers status --check --brief --crit runway<3d")).toMatchObject({ exitCode: 2, requests: [] });
  });
});

test.each([
  ["--warn", "--check --warn oldest>1h --where status.balance>0"],
  ["--crit", "--check --crit balance<1eth --where oldest>1h"],
  ["-o prom", "-o prom --where runway<3d"],
  ["--listen", "--listen 127.0.0.1:0 --where !runway"],
])("selects by no value that is read after the selection: %s", async (flag, flags) => {
  const ran = await ends({ exitCode: 2, requests: [], stdout: "" }, `relayers status ${flags}`);
  expect(ran.stderr).toContain(`cannot select by a field of status with ${flag}, which selects by the list`);
});

test.each([
  ["1s", 1],
  ["1m", 60],
  ["1h", 3_600],
  ["1d", 86_400],
])("%s is %d seconds, with and without the limit itself", (limit, seconds) => {
  const isCrossed = (operator: string, oldest: number) =>
    readThresholds("--warn", [`oldest${operator}${limit}`], new Problems())[0]?.isCrossed({ oldest } as never);
  const around = [seconds - 1, seconds, seconds + 1];
  const crossed = (operator: string) => around.map((oldest) => isCrossed(operator, oldest));
  expect(["<", "<=", ">", ">="].map(crossed)).toEqual([
    [true, false, false],
    [true, true, false],
    [false, false, true],
    [false, true, true],
  ]);
});
