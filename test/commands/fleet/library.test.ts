import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../../src/client/client.ts";
import { type PlanFleetOptions, planFiles } from "../../../src/library-calls/plan-files.ts";
import { temporaryFolder } from "../../config/temporary-folder.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { testClientContext } from "../../helpers/test-link.ts";

const KEY = "a signing key that is long enough, and a canary";

/** Plans files as the library does, against the demo's fleet. */
async function planned(files: Readonly<Record<string, string>>, options?: PlanFleetOptions) {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const clock = manualClock();
  const server = testServer({ token: "t", clock });
  const client = { ...createClient(testClientContext(server, { token: "t" })), origin: "https://relayer.example.org" };
  const interrupt = new AbortController().signal;
  const world = { clock, env: { HOOK_KEY: KEY }, interrupt, openWaiting: () => undefined };
  return await planFiles(
    Object.keys(files).map((name) => (name === "-" ? name : join(folder, name))),
    client,
    options,
    world,
  );
}

const HOOKS = `notifications:
  - { id: new-hook, type: webhook, url: https://hooks.example.org/new, signing_key: "\${env:HOOK_KEY}" }
`;

test("compares files with a service, with references in place of secrets", async () => {
  const plan = await planned({ "hooks.yaml": HOOKS });
  expect(plan).toMatchObject({
    server: "https://relayer.example.org",
    files: [expect.stringMatching(/hooks\.yaml$/)],
    changes: [{ action: "create", id: "new-hook", body: { signing_key: "${" + "env:HOOK_KEY}" } }],
  });
  expect(plan.unmanaged.length).toBeGreaterThan(1);
  expect(JSON.stringify(plan)).not.toContain("canary");
});

test("reads several files, with other variables, and reports what is left out", async () => {
  const warnings: string[] = [];
  const relayer = {
    id: "eth-main-1",
    name: "Mainnet 1",
    network: "mainnet",
    network_type: "evm",
    paused: true,
    signer_id: "signer-1",
    nam: "x",
  };
  const files = { "hooks.yaml": HOOKS, "config.json": JSON.stringify({ relayers: [relayer] }) };
  await expect(planned(files)).rejects.toThrow("unknown member (did you mean name?)");
  const plan = await planned(files, {
    env: { HOOK_KEY: "other".repeat(8) },
    allowUnknown: true,
    onWarning: (text) => warnings.push(text),
  });
  expect(plan.changes.map(({ noun, id }) => `${noun}/${id}`)).toEqual([
    "notifications/new-hook",
    "relayers/eth-main-1",
  ]);
  expect(warnings).toEqual([
    expect.stringMatching(/config\.json:1:\d+: not compared: relayers\.0\.nam is unknown to relayctl/),
  ]);
});

test("deletes what the files do not describe, if that is wanted", async () => {
  const plan = await planned({ "hooks.yaml": HOOKS }, { prune: true });
  expect(plan.changes.filter(({ action }) => action === "delete").map(({ noun }) => noun)).toContain("notifications");
});

test("rejects files that are wrong, with their places, and stdin", async () => {
  await expect(planned({ "hooks.yaml": "a: *b" })).rejects.toMatchObject({ failure: "usage" });
  await expect(planned({ "-": "" })).rejects.toMatchObject({
    failure: "usage",
    message: expect.stringContaining("does not read stdin"),
  });
});

test("needs a variable only for what has to be created with it", async () => {
  const { cannot, changes } = await planned({ "hooks.yaml": HOOKS }, { env: {} });
  expect(cannot).toMatchObject([{ id: "new-hook", reason: "cannot create notification new-hook: set HOOK_KEY" }]);
  expect(changes).toEqual([]);
});

test("refuses a label, which the library does not know", async () => {
  const relayer = { id: "r", name: "r", network: "mainnet", network_type: "evm", paused: true, signer_id: "signer-1" };
  const policies = { whitelist_receivers: ["@treasury"] };
  await expect(planned({ "f.json": JSON.stringify({ relayers: [{ ...relayer, policies }] }) })).rejects.toMatchObject({
    failure: "usage",
    message: expect.stringContaining("is a label, and the library knows none; use its address"),
  });
});
