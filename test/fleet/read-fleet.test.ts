import { inspectFleet } from "../../src/fleet/config/read-fleet.ts";
import { fleetOf, memorySources } from "./fleet-files.ts";

const CONFIG = `{
  "relayers": [{
    "id": "r1", "name": "One", "network": "sepolia", "network_type": "evm", "paused": false, "signer_id": "s1",
    "policies": { "gas_price_cap": "100gwei", "min_balance": 340282366920938463463374607431768211455 },
    "custom_rpc_urls": ["https://a.io/key", { "url": "https://b.io", "weight": 5 }]
  }],
  "notifications": [
    { "id": "n1", "type": "webhook", "url": "https://h.io", "signing_key": { "type": "env", "value": "KEY" } }
  ],
  "signers": [
    { "id": "s1", "type": "local", "config": { "path": "x.json", "passphrase": { "type": "env", "value": "PASS" } } }
  ]
}`;

test("the service's own file becomes requests, with exact amounts and references to secrets", async () => {
  const { resources, nouns } = await fleetOf(CONFIG, { env: { KEY: "k".repeat(40) } });
  expect(nouns).toEqual(new Set(["notifications", "signers", "relayers"]));
  const [relayer, notification, signer] = resources;
  expect(notification).toMatchObject({ id: "n1", fields: { signing_key: "k".repeat(40) } });
  expect([...(notification?.references ?? [])]).toEqual([["signing_key", `\${env:KEY}`]]);
  expect(signer?.fields).toMatchObject({ type: "local", config: { passphrase: `\${hidden:set PASS}` } });
  expect(relayer?.fields).toMatchObject({
    policies: { gas_price_cap: 100_000_000_000, min_balance: 2n ** 128n - 1n },
    custom_rpc_urls: [{ url: "https://a.io/key" }, { url: "https://b.io", weight: 5 }],
  });
  expect([...(relayer?.references ?? [])]).toEqual([
    ["custom_rpc_urls.0.url", `\${source:config.json#/relayers/0/custom_rpc_urls/0}`],
  ]);
  expect(relayer?.placeOf("policies.min_balance")).toEqual({ file: "config.json", line: 4, column: 47 });
});

test("a variable that is not set ends nothing, and is found at its place", async () => {
  expect((await fleetOf(CONFIG)).doubts).toEqual([]);
  const found = await inspectFleet(["config.json"], memorySources({ "config.json": CONFIG }));
  expect(found.filter(({ path }) => path.startsWith("notifications"))).toMatchObject([
    {
      ...{ file: "config.json", line: 8, column: 93, path: "notifications.0.signing_key.value", severity: "note" },
      ...{ code: "not_set", message: "the environment variable KEY is not set", fix: "set KEY" },
    },
  ]);
});
