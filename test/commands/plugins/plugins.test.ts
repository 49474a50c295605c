import { cli, ends, exits, says } from "../../helpers/cli.ts";
import { appliedIn, CANNOT_UNDO, UNDO } from "../../helpers/receipts.ts";
import { writtenService } from "../../helpers/service/written.ts";

const world = { service: writtenService("plugins") };

describe("plugins list and get", () => {
  test("show a line per plugin", async () =>
    expect((await cli("plugins list", { ...world, terminal: true })).stdout).toMatchInlineSnapshot(`
      "[2mID[22m         [2mTIMEOUT[22m  [2mGET[22m  [2mLOGS[22m  [2mPATH[22m
      old           30 s  [2m–[22m    [2m–[22m     plugins/old.ts
      plain        300 s  no   yes   plugins/plain.ts
      rebalance    300 s  yes  no    plugins/rebalance/index.ts
      "
    `));

  test("print documented columns, empty for fields that an older service lacks", async () =>
    expect((await cli("plugins list", world)).stdout.split("\n")[0]).toBe("old\tplugins/old.ts\t30\t\t\t\t\t"));

  test("show one plugin", async () =>
    expect((await cli("plugins get rebalance", { ...world, terminal: true })).stdout).toMatchInlineSnapshot(`
      "[2mid[22m                      rebalance
      [2mpath[22m                    plugins/rebalance/index.ts
      [2mtimeout[22m                 300 s
      [2memit logs[22m               no
      [2memit traces[22m             no
      [2mraw response[22m            no
      [2mallow get invocation[22m    yes
      [2mforward logs[22m            no
      [2mconfig[22m                  {"network":"base"}
      "
    `));

  test("exit with 5 for an unknown plugin, with the service's message", () =>
    says(5, "plugins get zz", "Plugin with id zz not found", world));

  test("find a plugin in the list of a service before v1.4", () =>
    ends({ exitCode: 0, stdout: "old\n" }, "plugins get old -o name", world));
});

describe("plugins update", () => {
  test("changes the specified fields, with the timeout in seconds", async () => {
    const { stderr, writes } = await exits(0, "plugins update rebalance --plugin-timeout 1m --emit-logs --diff", world);
    expect(writes[0]?.body).toBe('{"timeout":60,"emit_logs":true}');
    expect(stderr).toContain(`${appliedIn("http://127.0.0.1:8080")}rebalance timeout 300 s → 60 s, emit_logs no → yes`);
    expect(stderr).toContain(`${UNDO}relayctl plugins update rebalance --plugin-timeout 300s --no-emit-logs`);
    expect(stderr).not.toContain("not confirmed");
  });

  test("replaces the config from a file, and reports only the names", async () => {
    const files = { "config.json": '{"network":"mainnet"}' };
    const { stderr, writes } = await cli("plugins update rebalance --config config.json --diff", { ...world, files });
    expect(writes[0]?.body).toBe('{"config":{"network":"mainnet"}}');
    expect(stderr).toContain("config with network → with network");
    expect(stderr).toContain(`${CANNOT_UNDO}: a config can only be set from a file`);
  });

  test("has an undo command that empties a first config", async () => {
    const files = { "config.json": '{"network":"mainnet"}' };
    const { stderr } = await cli("plugins update plain --config config.json --diff", { ...world, files });
    expect(stderr).toContain(`${UNDO}relayctl plugins update plain --no-config`);
  });

  test("empties the config with an empty object, since null would change nothing", async () =>
    expect((await cli("plugins update rebalance --no-config", world)).writes[0]?.body).toBe('{"config":{}}'));

  test("sends nothing if everything is already set", async () => {
    const { stderr, writes } = await cli("plugins update rebalance --plugin-timeout 300s --no-emit-logs --diff", world);
    expect(writes).toEqual([]);
    expect(stderr).toContain("rebalance: already set; nothing was sent");
  });

  test("keeps the service's message of a refusal", async () => {
    await says(7, "plugins update rebalance --emit-traces", "Timeout must be greater than 0", world);
    expect((await cli("plugins update zz --emit-logs", world)).exitCode).toBe(5);
  });

  test.each([
    ["", "nothing to change; specify a field"],
    ["--plugin-timeout 30", "--plugin-timeout 30: needs a unit"],
    ["--plugin-timeout 0s", "Timeout must be greater than 0"],
    ["--plugin-timeout 1500ms", "must be in whole seconds"],
    ["--config missing.json", "missing.json"],
    ["--emit-logs --no-emit-logs", "--emit-logs"],
  ])("rejects %s before any request", (flags, rule) =>
    says({ exitCode: 2, requests: [] }, `plugins update rebalance ${flags}`, rule, world),
  );

  test.each([
    ['{"timeout":0}', "Timeout must be greater than 0"],
    ['{"timeout":"30"}', "Timeout must be greater than 0, in whole seconds"],
    ['{"config":null}', "config"],
    ['{"emit_logs":1}', "true or false"],
    ['{"path":"x"}', "has an unknown field: path"],
  ])("rejects a file with %s", (stdin, rule) =>
    says({ exitCode: 2, requests: [] }, "plugins update rebalance -f -", rule, { ...world, stdin }),
  );
});
