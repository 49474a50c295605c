import type { JsonObject } from "../../../src/contract/json.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { readLiveFor } from "../../../src/fleet/live.ts";
import { compared, liveFleet } from "../../helpers/fleet.ts";
import { fleetOf, problemsOf } from "../fleet-files.ts";

const RELAYER = { name: "A", network: "mainnet", network_type: "evm", paused: false, signer_id: "kms" };

function relayersFile(...relayers: JsonObject[]): string {
  return JSON.stringify({ relayers });
}

test.each<[string, JsonObject, JsonObject]>([
  ["an ID that no request can address", { id: "a/b", name: "B" }, { "a/b": RELAYER }],
  ["a policy that the service does not have", { id: "a", policies: { gas_price_cap: -1 } }, { a: RELAYER }],
  [
    "a weight that the service does not have",
    { id: "a", custom_rpc_urls: [{ url: "https://a.example", weight: 300 }] },
    { a: RELAYER },
  ],
])("%s is refused after the comparison", async (_what, fields, relayers) => {
  const desired = await fleetOf(relayersFile({ ...RELAYER, ...fields }));
  const live = liveFleet({ signers: { kms: {} }, relayers: relayers as Record<string, JsonObject> });
  await expect(compared(desired, live)).rejects.toMatchObject({
    exitCode: 2,
    details: [{ where: /^config\.json:1:/ }],
  });
});

test.each<[string, JsonObject, Record<string, JsonObject>, string]>([
  [
    "no strategy for Stellar, which the service has",
    { id: "a", network_type: "stellar" },
    { a: { ...RELAYER, network_type: "stellar", policies: { fee_payment_strategy: "user" } } },
    "Stellar policy is required. fee_payment_strategy is required",
  ],
  [
    "an ID that no service would create",
    { id: "a b" },
    {},
    "cannot create relayer a b: id: ID must contain only letters",
  ],
  [
    "a policy that no service has",
    { id: "a", policies: { gas_price_cap: -1 } },
    {},
    "cannot create relayer a: policies.gas_price_cap: a whole number",
  ],
  ["an empty name", { id: "a", name: "" }, {}, "cannot create relayer a: fill in name"],
  ["an empty name of one that exists", { id: "a", name: "" }, { a: RELAYER }, "fill in name"],
])("%s is one row, and the rest is planned", async (_what, fields, relayers, reason) => {
  const desired = await fleetOf(relayersFile({ ...RELAYER, ...fields }, { ...RELAYER, id: "other", network: "base" }));
  const { plan } = await compared(desired, liveFleet({ signers: { kms: {} }, relayers }));
  expect(plan.cannot).toMatchObject([{ noun: "relayers", reason: expect.stringContaining(reason) }]);
  expect(plan.changes).toMatchObject([{ action: "create", id: "other" }]);
});

test("odd values are accepted if the service has the same", async () => {
  const odd = { ...RELAYER, name: "", policies: { gas_price_cap: -1 } };
  const { plan } = await compared(await fleetOf(relayersFile({ id: "a b", ...odd })), { relayers: { "a b": odd } });
  expect(plan).toMatchObject({ changes: [], cannot: [], outside: [], same: 1 });
});

test("an odd ID does not keep a relayer from being changed", async () => {
  const desired = await fleetOf(relayersFile({ ...RELAYER, id: "a b", paused: true }));
  const { plan } = await compared(desired, { relayers: { "a b": RELAYER } });
  expect(plan.changes).toMatchObject([{ id: "a b", body: { paused: true } }]);
});

test("what is wrong beyond doubt is refused with every doubt, before the service is read", async () => {
  const file = relayersFile({ ...RELAYER, id: "a b" }, { ...RELAYER, id: "c" }, { ...RELAYER, id: "c" });
  expect(await problemsOf(fleetOf(file))).toEqual([
    expect.stringContaining("relayers.0.id a b: ID must contain only letters"),
    expect.stringContaining("relayers.2.id c: already used at"),
  ]);
});

test("a doubt is a mistake if the service cannot be read", async () => {
  const desired = await fleetOf(relayersFile({ ...RELAYER, id: "a b" }));
  const failing = {
    list: () => {
      throw new RelayctlError("server", "no");
    },
  };
  const client = { relayers: failing, signers: failing, notifications: failing, networks: failing, plugins: failing };
  await expect(readLiveFor(client as unknown as Parameters<typeof readLiveFor>[0], desired)).rejects.toMatchObject({
    exitCode: 2,
  });
});

test("an unknown type of signer is compared without showing any text", async () => {
  const file = (secret: string) => JSON.stringify({ signers: [{ id: "s", type: "later", config: { api: secret } }] });
  const live = { signers: { s: { type: "later", config: { api: "visible" } } } };
  const { plan } = await compared(await fleetOf(file("cAnArY")), live);
  expect(JSON.stringify(plan)).not.toContain("cAnArY");
  expect((await compared(await fleetOf(file("visible")), live)).plan.cannot).toEqual([]);
});

test.each(["signer_id", "notification_id"])("a file can leave out the %s of a relayer that has one", async (member) => {
  const fields = { ...RELAYER, notification_id: "hook", [member]: `\${hidden:${member}}` };
  const live = { ...RELAYER, notification_id: "hook" };
  const { plan } = await compared(await fleetOf(relayersFile({ id: "a", ...fields })), { relayers: { a: live } });
  expect(plan).toMatchObject({ changes: [], cannot: [], not_compared: [{ path: member }] });
});
