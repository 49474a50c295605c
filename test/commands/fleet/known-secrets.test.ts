import { type JsonObject, writeJson } from "../../../src/contract/json.ts";
import { RelayctlError } from "../../../src/errors.ts";
import type { FleetNoun } from "../../../src/fleet/desired-fleet.ts";
import { journaledSecrets } from "../../../src/fleet/journaled-secrets.ts";
import type { Entry, Intent, Journal } from "../../../src/journal/journal.ts";
import { cli, SERVER, TOKEN } from "../../helpers/cli.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { intent, outcome } from "../../journal/entries.ts";

const KEY = "a signing key that is long enough for the service";
const OTHER = "another signing key that is long enough for it";
const ENV = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_JOURNAL: "/journal" };

/** Returns whether a value is the last applied value, or undefined if that is unknown. */
async function known(journal: Journal, secret: string, ...[noun, id, path]: [FleetNoun, string, string]) {
  const isLastApplied = await journaledSecrets(async () => journal, SERVER).lastApplied(noun, id, path);
  return await isLastApplied?.(secret);
}

const ofHook = ["notifications", "ops-hook", "signing_key"] as const;

test("knows the signing key that a command set, until another one sets or removes it", async () => {
  const journal = memoryJournal();
  const world = { env: ENV, journal, store: demoStore(), stdin: KEY };
  expect(await known(journal, KEY, ...ofHook)).toBe(undefined);
  await cli("notifications update ops-hook --signing-key-file -", world);
  expect(await known(journal, KEY, ...ofHook)).toBe(true);
  expect(await known(journal, OTHER, ...ofHook)).toBe(false);
  await cli("notifications update ops-hook --url https://example.org/hook", world);
  expect(await known(journal, KEY, ...ofHook)).toBe(true);
  await cli("notifications update ops-hook --signing-key-file -", { ...world, stdin: OTHER });
  expect([await known(journal, KEY, ...ofHook), await known(journal, OTHER, ...ofHook)]).toEqual([false, true]);
  await cli("notifications update ops-hook --remove-signing-key --yes", world);
  expect(await known(journal, OTHER, ...ofHook)).toBe(undefined);
});

test("knows the key of a notification that a command created, and nothing once it is deleted", async () => {
  const journal = memoryJournal();
  const world = { env: ENV, journal, store: demoStore(), stdin: KEY };
  const at = ["notifications", "n9", "signing_key"] as const;
  await cli("notifications create --id n9 --url https://example.org --signing-key-file -", world);
  expect(await known(journal, KEY, ...at)).toBe(true);
  expect(await known(journal, KEY, "notifications", "n8", "signing_key")).toBe(undefined);
  await cli("notifications delete n9 --yes", world);
  expect(await known(journal, KEY, ...at)).toBe(undefined);
});

test("knows the RPC URLs of relayers and networks, each with its weight, and records none of them", async () => {
  const journal = memoryJournal();
  const world = { env: ENV, journal };
  const [url, plain] = ["https://rpc.example.org/v3/canary-of-a-key", "https://plain.example.org"];
  await cli(`relayers update eth-main-1 --rpc-url ${url},weight=7 --rpc-url ${plain}`, world);
  await cli(`networks update evm:sepolia --rpc-url ${url}`, world);
  const ofRelayer = ["relayers", "eth-main-1", "custom_rpc_urls"] as const;
  expect(await known(journal, `${url},weight=7`, ...ofRelayer)).toBe(true);
  expect(await known(journal, url, ...ofRelayer)).toBe(false);
  expect(await known(journal, url, "networks", "evm:sepolia", "rpc_urls")).toBe(true);
  const fingerprints = journal.entries.map((entry) => (entry as Intent).fingerprints);
  expect(fingerprints.filter((one) => one)).toEqual([
    { "custom_rpc_urls.0": expect.stringMatching(/^hmac:/) },
    { "rpc_urls.0": expect.stringMatching(/^hmac:/) },
  ]);
  expect(writeJson(journal.entries)).not.toContain("canary");
});

test("knows each secret of a signer", async () => {
  const body = {
    id: "v1",
    type: "vault",
    config: { role_id: await fingerprint("role"), address: "https://v.example.org" },
  };
  const journal = written([{ operation: "signers.create", ids: {}, body, kind: "create" }]);
  expect(await known(journal, "role", "signers", "v1", "config.role_id")).toBe(true);
  expect(await known(journal, "other", "signers", "v1", "config.role_id")).toBe(false);
  expect(await known(journal, "x", "signers", "v1", "config.secret_id")).toBe(undefined);
});

test.each<[string, Partial<Intent>, "yes" | "no" | "unknown" | undefined, boolean | undefined]>([
  ["was refused", {}, "no", true],
  ["has an unknown outcome", {}, "unknown", false],
  ["has no outcome", {}, undefined, false],
  ["was applied to another service", { server: "https://other.example.org" }, "yes", true],
  ["does not contain the value", { body: { url: "https://example.org" } }, "unknown", true],
  ["was too long to be recorded", { body: undefined as unknown as JsonObject }, "yes", undefined],
  [
    "may have deleted it",
    { operation: "notifications.delete", body: undefined as unknown as JsonObject },
    "unknown",
    undefined,
  ],
  ["is about another resource", { ids: { notification_id: "other" } }, "yes", true],
  ["was recorded without a fingerprint", { body: { signing_key: "***" } }, "yes", undefined],
])("is %s: what is known of the value before", async (_, more, applied, expected) => {
  const [first, second] = [await fingerprint(KEY), await fingerprint(OTHER)];
  const update = { operation: "notifications.update", ids: { notification_id: "ops-hook" } };
  const journal = written([{ ...update, body: { signing_key: first } }]);
  journal.entries.push(intent("w9", { server: SERVER, ...update, body: { signing_key: second }, ...more }));
  if (applied) journal.entries.push(outcome("w9", { applied }));
  expect(await known(journal, KEY, ...ofHook)).toBe(expected);
});

test("counts an outcome that a later command found", async () => {
  const update = { operation: "notifications.update", ids: { notification_id: "ops-hook" } };
  const journal = memoryJournal({
    entries: [
      intent("w1", { server: SERVER, ...update, body: { signing_key: await fingerprint(KEY) } }),
      outcome("w1", { applied: "unknown" }),
      outcome("w1", { applied: "yes", settledLater: true }),
    ],
  });
  expect(await known(journal, KEY, ...ofHook)).toBe(true);
});

test("knows nothing of RPC URLs that an earlier version recorded", async () => {
  const update = { operation: "relayers.update", ids: { relayer_id: "r1" } };
  const journal = written([{ ...update, body: { custom_rpc_urls: [{ url: "https://a.example.org/***" }] } }]);
  expect(await known(journal, "https://a.example.org/key", "relayers", "r1", "custom_rpc_urls")).toBe(undefined);
});

test("knows nothing without a journal", async () => {
  const secrets = journaledSecrets(async () => undefined, SERVER);
  expect(await secrets.lastApplied(...ofHook)).toBe(undefined);
});

test("knows nothing with a journal that cannot be read", async () => {
  const broken: Journal = {
    ...memoryJournal(),
    async *newestFirst() {
      yield* [];
      throw new RelayctlError("io", "journal: permission denied");
    },
  };
  expect(await known(broken, KEY, ...ofHook)).toBe(undefined);
});

test("reads a journal once, and no further than it has to", async () => {
  const update = (id: string) => ({ operation: "notifications.update", ids: { notification_id: id } });
  const journal = written([
    { ...update("old"), body: { signing_key: await fingerprint(KEY) } },
    { ...update("b"), body: { signing_key: await fingerprint(KEY) } },
    { ...update("a"), body: { signing_key: await fingerprint(KEY) } },
  ]);
  let reads = 0;
  let yielded = 0;
  const counted: Journal = {
    ...journal,
    async *newestFirst() {
      reads++;
      for await (const entry of journal.newestFirst()) {
        yielded++;
        yield entry;
      }
    },
  };
  const secrets = journaledSecrets(async () => counted, SERVER);
  const [b, a] = await Promise.all(
    ["b", "a"].map(async (id) => await (await secrets.lastApplied("notifications", id, "signing_key"))?.(KEY)),
  );
  expect([a, b, reads, yielded]).toEqual([true, true, 1, 4]);
});

function fingerprint(secret: string): Promise<string> {
  return memoryJournal().fingerprint(secret);
}

/** A journal with writes that were applied, oldest first. */
function written(writes: readonly Partial<Intent>[]) {
  const entries = writes.flatMap((write, index): Entry[] => [
    intent(`w${index}`, { server: SERVER, ...write }),
    outcome(`w${index}`),
  ]);
  return memoryJournal({ entries });
}
