import { cli, exits } from "../../../helpers/cli.ts";

const HOOKS = `{"notifications": [
  {"id": "new-hook", "type": "webhook", "url": "https://new.example.org", "signing_key": {"type": "env", "value": "HOOK_KEY"}},
  {"id": "open-hook", "type": "webhook", "url": "https://your-host.example.org"},
  {"id": "audit-log", "type": "webhook", "url": "https://audit.example.org/moved"},
  {"id": "ops-hook", "type": "webhook", "url": "https://hooks.example.org/relayers/ops", "signing_key": "\${env:OPS_KEY}"}
], "networks": "./gone"}`;
const REASONS = [
  ["new-hook", "cannot create notification new-hook: set HOOK_KEY"],
  ["open-hook", "cannot create notification open-hook: fill in url"],
  ["./gone", "networks not compared; looked in gone, ../gone"],
];

function world(more: object = {}) {
  return { env: {}, files: { "c.json": HOOKS }, ...more };
}

test("a plan has a row for what is unfinished, and the rest", async () => {
  const { stdout, exitCode, stderr } = await cli("--demo plan -f c.json -o json", world());
  const { changes, cannot, not_compared } = JSON.parse(stdout);
  expect(exitCode).toBe(20);
  expect(cannot.map(({ id, reason }: Record<string, string>) => [id, reason])).toEqual(REASONS);
  expect(changes).toMatchObject([{ action: "update", id: "audit-log" }]);
  expect(not_compared).toContainEqual(
    expect.objectContaining({ id: "ops-hook", path: "signing_key", reason: "OPS_KEY is not set" }),
  );
  expect(stderr).toContain("3 cannot be changed");
});

test.each(["drift", "plan"])("%s prints the rows in a pipe", async (verb) => {
  const { stdout } = await cli(`--demo ${verb} -f c.json --fields action,id,path,reason`, world());
  expect(stdout).toContain(`cannot\tnew-hook\t\t${REASONS[0]?.[1]}\n`);
});

test("a URL with a variable that is not set is compared by its origin, and shows no credentials", async () => {
  const relayer = '"id": "base-hot", "name": "Base hot", "network": "base", "network_type": "evm", "paused": false';
  const rest =
    '"signer_id": "signer-base", "notification_id": "ops-hook", "policies": {"gas_price_cap": 5000000000, "min_balance": 50000000000000000}';
  const fileWith = (url: string) => `{"relayers": [{${relayer}, ${rest}, "custom_rpc_urls": ["${url}"]}]}`;
  const planned = async (url: string) => {
    const { stdout, exitCode } = await cli(
      "--demo plan -f c.json -o json",
      world({ files: { "c.json": fileWith(url) } }),
    );
    expect(stdout).not.toContain("canary");
    return { exitCode, ...(JSON.parse(stdout) as { not_compared: object[]; cannot: object[] }) };
  };
  for (const url of [`https://base.rpc.example.org/v2/$\{env:RPC_KEY}`, `$\{env:RPC_KEY}`])
    expect(await planned(url)).toMatchObject({ exitCode: 0, not_compared: [{ reason: "RPC_KEY is not set" }] });
  expect(await planned(`https://user:canary-word@other.example.org/v2/$\{env:RPC_KEY}`)).toMatchObject({
    exitCode: 20,
    cannot: [{ path: "custom_rpc_urls", reason: "set RPC_KEY" }],
  });
});

test("--send-hidden needs the value that it sends", async () => {
  const { stdout } = await cli("--demo plan -f c.json --send-hidden --fields action,id,path,reason", world());
  expect(stdout).toContain("cannot\tops-hook\tsigning_key\tset OPS_KEY\n");
});

test("apply does the rest and exits with 12, and with 6 if there is none", async () => {
  const { exitCode, stdout, writes } = await cli("--demo apply -f c.json --yes --fields id,outcome,reason", world());
  expect({ exitCode, writes: writes.length }).toEqual({ exitCode: 12, writes: 1 });
  for (const [id, reason] of REASONS) expect(stdout).toContain(`${id}\tcannot\t${reason}\n`);
  const files = { "c.json": '{"notifications": [{"id": "open-hook", "type": "webhook", "url": ""}]}' };
  expect(await cli("--demo apply -f c.json --yes", world({ files }))).toMatchObject({ exitCode: 6, writes: [] });
});

test("a newer service is compared, and what it has more is named", async () => {
  const files = {
    "c.json":
      '{"notifications": [{"id": "audit-log", "type": "webhook", "url": "https://audit.example.org/relayer-events", "retries": 3}]}',
  };
  const refused = await cli("--demo plan -f c.json", world({ files }));
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--allow-unknown") });
  const allowed = await exits(0, "--demo plan -f c.json --allow-unknown", world({ files }));
  expect(allowed.stderr).toContain(
    "note: c.json:1:110: not compared: notifications.0.retries is unknown to relayctl 0.1\n",
  );
});
