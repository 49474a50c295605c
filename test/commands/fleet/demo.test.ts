import { readFileSync } from "node:fs";
import { readFleetFiles } from "../../../src/fleet/config/read-fleet.ts";
import { openFleetSources } from "../../../src/fleet/open-sources.ts";
import { blocksOf } from "../../e2e/guide.ts";
import { problemsOf } from "../../fleet/fleet-files.ts";
import { cli, ends, exits } from "../../helpers/cli.ts";
import { realService } from "../../helpers/service/real-service.ts";
import { testApp, type World } from "../../helpers/test-app.ts";

describe("the fleet of the demo", () => {
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
});

const SHIPPED = { "config.json": readFileSync("docs/examples/fleet/config.json", "utf8") };

test("the shipped file differs from the demo fleet in the same places in both dialects of serve", async () => {
  const line = "plan -f config.json";
  const asInterface = await cli(line, { files: SHIPPED });
  const asReal = await exits(20, line, { files: SHIPPED, service: realService() });
  expect(asReal.stdout).toBe(asInterface.stdout);
  expect(asReal.stderr).toBe(asInterface.stderr);
  expect(asReal.stderr).toContain("6 values not compared: the service does not return them\n");
});

test("the YAML of the guide describes what the demo fleet has", async () => {
  const [example] = blocksOf("docs/guides/fleet.md", "yaml").filter(({ text }) => text.startsWith("notifications:"));
  const files = { "fleet.yaml": example?.text ?? "", "rpc-key.txt": "5b2f8c1d7a904e63\n" };
  const env = { OPS_HOOK_KEY: "demo-signing-key-of-the-ops-hook-0001" };
  const { stderr } = await ends({ exitCode: 0, stdout: "" }, "--demo plan -f fleet.yaml", { files, env });
  expect(stderr).toContain(
    "fleet.yaml matches the service: 2 resources (2 hidden values not compared; -o json lists them)\n",
  );
});

const KEY = "signing-key-of-a-notification-that-is-long";
const FILE = `notifications:
  - {id: n, type: webhook, url: "https://h.example.com", signing_key: "\${env:KEY}"}
  - {id: m, type: webhook, url: "https://h.example.com", signing_key: "\${file:key}"}`;

function appOf(world: World) {
  return testApp({ env: { KEY }, files: { "f.yaml": FILE, key: `${KEY}-in-a-file\n` }, ...world }).app;
}

test("a fleet is read from the user's files and variables, and its secrets are redacted from then on", async () => {
  const app = appOf({});
  const { resources } = await readFleetFiles(["f.yaml"], openFleetSources(app));
  expect(resources.map(({ fields }) => fields.signing_key)).toEqual([KEY, `${KEY}-in-a-file`]);
  expect(app.secrets.redact(`the key is ${KEY}`)).toBe("the key is ‹redacted›");
  expect(app.secrets.redact(`${KEY}-in-a-file`)).not.toContain(KEY);
});

test("a fleet is read from stdin, with a byte order mark and paths from the current folder", async () => {
  const app = appOf({ stdin: `\ufeff${FILE}` });
  const { resources } = await readFleetFiles(["-"], openFleetSources(app));
  expect(resources.map(({ place }) => `${place.file}:${place.line}`)).toEqual(["stdin:2", "stdin:3"]);
});

test("stdin at a terminal, a missing file, and no file name are reported together", async () => {
  const app = appOf({ terminal: true });
  expect(await problemsOf(readFleetFiles(["-", "gone.json", ""], openFleetSources(app)))).toEqual([
    "-: reads stdin, but stdin is a terminal; pipe the input or specify a file",
    "gone.json: cannot be read: it does not exist",
    "a file: needs a file name, or - for stdin",
  ]);
});

test("a file that is not UTF-8 is refused", async () => {
  const { app } = testApp();
  const files = { ...app.files, read: async () => new Uint8Array([0x7b, 0xff]) };
  expect(await problemsOf(readFleetFiles(["f.json"], openFleetSources({ ...app, files })))).toEqual([
    "f.json: is not UTF-8",
  ]);
});
