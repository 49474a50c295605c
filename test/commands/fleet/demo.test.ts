import { readFileSync } from "node:fs";
import { cli, ends } from "../../helpers/cli.ts";

test("is the shipped example", () =>
  expect(JSON.parse(readFileSync("package.json", "utf8")).files).toContain("docs/examples/fleet"));

test("differs from the demo fleet in five places, one of each sort", async () => {
  const { stdout, exitCode } = await cli("--demo plan -o json", { env: {} });
  const { changes, cannot, not_compared, outside, unmanaged } = JSON.parse(stdout);
  const paths = changes.map(({ action, noun, id, members }: Record<string, unknown>) => [
    action,
    `${noun}/${id}`,
    (members as { path: string }[]).map(({ path }) => path).join(),
  ]);
  expect(paths).toEqual([
    ["create", "notifications/oncall-hook", "type,url"],
    ["update", "relayers/polygon-bulk", "policies.gas_price_cap"],
  ]);
  expect(cannot).toMatchObject([{ noun: "relayers", id: "eth-main-2", path: "signer_id" }]);
  expect(not_compared).toMatchObject([{ noun: "notifications", id: "ops-hook", path: "signing_key" }]);
  expect(unmanaged).toEqual([{ noun: "relayers", id: "xlm-treasury" }]);
  expect(outside).toEqual([]);
  expect(exitCode).toBe(20);
});

test("a service would start with it, and with the demo's fleet", async () => {
  const files = {
    "shipped.json": readFileSync("docs/examples/fleet/config.json", "utf8"),
    "demo.json": (await cli("--demo export -o json", { env: {} })).stdout,
  };
  for (const file of Object.keys(files)) {
    const { exitCode, stdout } = await cli(`validate ${file}`, { env: {}, files });
    expect({ file, exitCode, stdout }).toMatchObject({ exitCode: 0 });
  }
});

test("is only used without -f, and only by the demo", async () => {
  const own = { "config.json": '{"notifications":[]}' };
  const typed = await cli("--demo plan -f config.json -o json", { env: {}, files: own });
  expect(JSON.parse(typed.stdout)).toMatchObject({ files: ["config.json"], changes: [], cannot: [] });
  const missing = await ends({ exitCode: 2, stdout: "", requests: [] }, "plan");
  expect(missing.stderr).toBe(
    "error: --file: missing: specify the files of the fleet, e.g. -f config.json\n  hint: relayctl plan --help\n",
  );
  expect((await cli("plan -f demo/config.json")).exitCode).toBe(2);
});
