import { readFleetFiles } from "../../src/fleet/config/read-fleet.ts";
import { resolveReference } from "../../src/fleet/saved-references.ts";
import { memorySources, problemsOf } from "./fleet-files.ts";

const KEY = "k".repeat(40);

test.each([
  { reference: `\${env:KEY}`, secret: KEY },
  { reference: `https://host/\${env:KEY}`, secret: `https://host/${KEY}` },
  { reference: `\${file:keys/a}`, secret: "from a file" },
  { reference: `\${source:fleet/config.json#/notifications/0/signing_key}`, secret: KEY },
  { reference: `\${source:fleet/config.json#/notifications/0/a~1b~0c}`, secret: `\${plain}` },
])("$reference is resolved", async ({ reference, secret }) => {
  const sources = memorySources(
    {
      "keys/a": "from a file\n",
      "fleet/config.json": `{"notifications": [{"signing_key": "${KEY}", "a/b~c": "$\${plain}"}]}`,
    },
    { KEY },
  );
  expect(await resolveReference(reference, sources)).toBe(secret);
});

test.each([
  { reference: `\${env:KEY}`, rule: "the environment variable KEY is not set" },
  { reference: `\${file:gone}`, rule: "the file gone cannot be read: it does not exist" },
  {
    reference: `\${source:config.json#/signers/7/config}`,
    rule: "the file has no text there now; create the plan again",
  },
])("$reference without a value is refused", async ({ reference, rule }) => {
  const sources = memorySources({ "config.json": "{}" });
  expect(await problemsOf(resolveReference(reference, sources))).toEqual([`${reference}: ${rule}`]);
});

test("every reference of a fleet resolves to the secret that was read, from the folder of the command", async () => {
  const sources = memorySources(
    {
      "fleet/config.json": `{
        "notifications": [
          {"id": "a", "type": "webhook", "url": "https://h/\${file:../path}", "signing_key": "\${file:key}"},
          {"id": "b", "type": "webhook", "url": "https://u:p@h", "signing_key": {"type": "plain", "value": "${KEY}"}},
          {"id": "c", "type": "webhook", "url": "https://h", "signing_key": {"type": "env", "value": "KEY"}}
        ],
        "relayers": [{
          "id": "r", "name": "r", "network": "sepolia", "network_type": "evm", "paused": false, "signer_id": "s",
          "custom_rpc_urls": ["https://a/secret", {"url": "https://b/$\${KEY}"}, "https://c"]
        }]
      }`,
      "fleet/key": `${KEY}\r\n`,
      path: "hook\n",
    },
    { KEY },
  );
  const { resources } = await readFleetFiles(["fleet/config.json"], sources);
  const references = resources.flatMap((resource) => [...resource.references.values()]);
  const resolved = await Promise.all(references.map((reference) => resolveReference(reference, sources)));
  expect(resolved).toEqual([
    ...[KEY, "https://h/hook"],
    ...[KEY, "https://u:p@h"],
    KEY,
    ...["https://a/secret", `https://b/\${KEY}`],
  ]);
});
