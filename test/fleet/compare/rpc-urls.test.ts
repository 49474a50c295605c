import { hiddenUrl } from "../../../src/fleet/hidden.ts";
import type { KnownSecrets } from "../../../src/fleet/known-secrets.ts";
import { compared } from "../../helpers/fleet.ts";

const RELAYER = { name: "Main", network: "sepolia", network_type: "evm", paused: false, signer_id: "kms-1" };

/** A URL, or one with its weight. */
type Typed = string | readonly [url: string, weight: number];

function list(urls: readonly Typed[]) {
  return urls.map((url) => (typeof url === "string" ? { url } : { url: url[0], weight: url[1] }));
}

/** Knows these entries as those that were last applied; nothing is known without them. */
function knows(entries: readonly string[] | undefined): KnownSecrets {
  return { lastApplied: async () => entries && (async (secret) => entries.includes(secret)) };
}

const [A, B, OTHER] = [
  "https://a.example.org/key-canary",
  "https://a.example.org/second-canary",
  "https://b.example.org/k-canary",
];
const MASKED = "https://a.example.org/***";
const [HIDDEN_1, HIDDEN_2] = [hiddenUrl(A, 1), hiddenUrl(A, 2)];

type Outcome = "same" | "change" | "not compared" | "cannot";

const CASES: readonly (readonly [
  string,
  readonly Typed[],
  readonly Typed[],
  readonly string[] | undefined,
  Outcome,
])[] = [
  ["nothing is known", [A], [MASKED], undefined, "not compared"],
  ["it was applied", [A], [MASKED], [A], "same"],
  ["another one was applied", [A], [MASKED], [B], "change"],
  ["another host", [A], ["https://b.example.org/***"], undefined, "change"],
  ["another number of URLs", [A], [MASKED, MASKED], [A], "change"],
  ["another weight", [[A, 7]], [MASKED], [A], "change"],
  ["another weight was applied", [[A, 7]], [[MASKED, 7]], [A], "change"],
  ["it was applied with its weight", [[A, 7]], [[MASKED, 7]], [`${A},weight=7`], "same"],
  ["the service does not mask it", [A], [A], undefined, "same"],
  ["the service does not mask another one", [A], [B], undefined, "change"],
  ["a URL without a path", ["https://a.example.org"], ["https://a.example.org"], undefined, "same"],
  ["a query", ["https://a.example.org?key=canary"], ["https://a.example.org?***"], undefined, "not compared"],
  ["the same in another order", [A, OTHER], ["https://b.example.org/***", MASKED], [A, OTHER], "same"],
  ["the file leaves it out", [HIDDEN_1], [MASKED], undefined, "not compared"],
  ["the file leaves out two of a host", [HIDDEN_1, HIDDEN_2], [MASKED, MASKED], undefined, "not compared"],
  ["the file leaves out one of two", [HIDDEN_1, B], [MASKED, MASKED], [A, B], "not compared"],
  [
    "the file leaves out one of two, and has a new one",
    [HIDDEN_1, OTHER],
    [MASKED, "https://b.example.org/***"],
    [A, B],
    "cannot",
  ],
  ["the file leaves out one of another host", [hiddenUrl(OTHER, 1)], [MASKED], undefined, "cannot"],
  ["the file leaves out one, and the service has none", [HIDDEN_1], [], undefined, "cannot"],
  ["two equal URLs in the file", [A, A], [MASKED, MASKED], [A], "not compared"],
  ["two equal URLs on both sides", [A, A], [A], undefined, "same"],
];

test.each(CASES)("compares RPC URLs: %s", async (_, desired, live, applied, outcome) => {
  const { plan } = await compared(
    { relayers: { r: { ...RELAYER, custom_rpc_urls: list(desired) } } },
    { relayers: { r: { ...RELAYER, custom_rpc_urls: list(live) } } },
    { known: knows(applied) },
  );
  const { changes, cannot, not_compared, same } = plan;
  const found =
    changes.length > 0 ? "change" : cannot.length > 0 ? "cannot" : not_compared.length > 0 ? "not compared" : "same";
  expect(found).toBe(outcome);
  expect(same).toBe(outcome === "same" || outcome === "not compared" ? 1 : 0);
  expect(JSON.stringify(changes)).not.toContain("canary");
});

test.each<[string, readonly Typed[], Outcome]>([
  ["sends it on request", [A], "change"],
  ["sends nothing that the file leaves out", [HIDDEN_1], "not compared"],
])("a list that cannot be compared: %s", async (_, desired, outcome) => {
  const { plan, secrets } = await compared(
    { relayers: { r: { ...RELAYER, custom_rpc_urls: list(desired) } } },
    { relayers: { r: { ...RELAYER, custom_rpc_urls: list([MASKED]) } } },
    { sendHidden: true },
  );
  expect([plan.changes.length, plan.not_compared.length]).toEqual(outcome === "change" ? [1, 0] : [0, 1]);
  expect([...secrets.values()]).toEqual(outcome === "change" ? [A] : []);
});
