import { parseJson } from "../../../src/contract/json.ts";
import { serviceOf } from "../../fleet/export/live-service.ts";
import { cli, ends, exits, says, TOKEN } from "../../helpers/cli.ts";
import { liveFleet } from "../../helpers/fleet.ts";
import { interfaceService } from "../../helpers/service/interface-service.ts";
import { realService } from "../../helpers/service/real-service.ts";

test("writes the fleet as YAML, the same at every run", async () => {
  const { stdout } = await ends({ exitCode: 0, stderr: "", writes: [] }, "export");
  expect(stdout).toMatch(/^# A fleet of relayers/);
  expect(stdout).toContain("gas_price_cap: 80gwei\n");
  expect(stdout).toContain("gas_price_cap: 340282366920938463463374607431768211455\n");
  expect(stdout).toContain(`signing_key: \${hidden:key}\n`);
  expect((await cli("export -o yaml")).stdout).toBe(stdout);
});

test("writes amounts as integers of JSON", async () => {
  const { stdout } = await cli("export -o json");
  expect(stdout).toContain('"gas_price_cap": 80000000000,\n');
  expect(stdout).toContain('"gas_price_cap": 340282366920938463463374607431768211455,\n');
});

test("writes RPC URLs of networks only if the user asks for them", async () => {
  const network = (text: string) => /rpc_urls:\n +- (.*polygon.*)\n/.exec(text)?.[1];
  expect(network((await cli("export")).stdout)).toBe(`\${hidden:https://evm-polygon.rpc.example.org#1}`);
  expect(network((await cli("export --show-urls")).stdout)).toMatch(/^https:\/\/evm-polygon\.rpc\.example\.org\/.+/);
  expect((await cli("export --show-urls")).stdout).toContain(`- \${hidden:https://base.rpc.example.org#1}`);
});

test("leaves out what an older service does not list, and says so", async () => {
  const { stdout, stderr } = await exits(0, "export -o json", { service: interfaceService({ token: TOKEN }) });
  expect(Object.keys(parseJson(stdout) as object)).toEqual(["notifications", "relayers"]);
  expect(stderr).toBe(
    "note: this service has no route for signers, networks, plugins, so the export does not contain them\n",
  );
});

test.each([
  ["-o tsv", "-o tsv: an export is written as yaml or json"],
  ["--fields id", "--fields id: this result has no known fields"],
  ["--query relayers", "--query: needs -o json or -o yaml"],
])("refuses %s", (flags, problem) => says({ exitCode: 2, requests: [] }, `export ${flags}`, problem));

test("prints the request of a dry run, and sends nothing", async () => {
  const { stdout, requests } = await cli("export --dry-run");
  expect(stdout).toContain("GET /api/v1/relayers");
  expect(requests).toEqual([]);
});

/** Service v1.0, which only has relayers, and does not return their signers (facts 4.1). */
function v1_0() {
  const relayer = {
    name: "Main",
    network: "mainnet",
    network_type: "evm",
    paused: false,
    policies: { min_balance: 5 },
  };
  return serviceOf(liveFleet({ relayers: { main: relayer } }, ["notifications", "signers", "networks", "plugins"]));
}

test.each([
  ["the real service", realService],
  ["service v1.0", v1_0],
])("a plan of an export of %s finds no difference", async (_, service) => {
  for (const [path, flags] of [
    ["fleet.yaml", ""],
    ["fleet.yaml", "--show-urls"],
    ["fleet.json", "-o json"],
  ] as const) {
    const world = { service: service() };
    const files = { [path]: (await cli(`export ${flags}`, world)).stdout };
    await ends({ exitCode: 0, stdout: "" }, `plan -f ${path}`, { ...world, files });
    expect((await cli(`export -f ${path}`, { ...world, files })).stderr).toContain(`${path} is up to date\n`);
  }
});
