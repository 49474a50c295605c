import fc from "fast-check";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  prettyJson,
  writeJson,
} from "../../../src/contract/json.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { readFleetFiles } from "../../../src/fleet/config/read-fleet.ts";
import type { DesiredFleet } from "../../../src/fleet/desired-fleet.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import { DEEP, runs } from "../../helpers/deep.ts";
import { FIXTURE_ENV, fixtureFiles, fixtureSources } from "../fixture.ts";
import { memorySources } from "../fleet-files.ts";

const CONFIG = "config/config.json";
const FILES = fixtureFiles();
const FIXTURE: JsonObject = {
  ...(parseJson(FILES[CONFIG] ?? "") as JsonObject),
  networks: ["evm", "others"].flatMap((name) => {
    const { networks } = parseJson(FILES[`config/networks/${name}.json`] ?? "") as JsonObject;
    return networks as JsonValue[];
  }),
};

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,36}$/).filter((text) => text !== "true" && text !== "false");
const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((text) => text.replaceAll("${", "$ {"));
const amount = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((wei) => (wei <= 2n ** 53n - 1n ? Number(wei) : wei));
const url = fc.oneof(fc.webUrl({ validSchemes: ["http", "https"] }), fc.constant("https://rpc.example.com/v2/a-key"));
const rpcUrl = fc.oneof(url, fc.record({ url, weight: fc.integer({ min: 0, max: 100 }) }, { requiredKeys: ["url"] }));

const policies = fc.oneof(
  fc.record({
    network_type: fc.constant("evm"),
    policies: fc.record(
      { gas_price_cap: amount, min_balance: amount, eip1559_pricing: fc.boolean() },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    network_type: fc.constant("solana"),
    policies: fc.record(
      {
        max_signatures: fc.integer({ min: 0, max: 255 }),
        fee_margin_percentage: fc.float({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    network_type: fc.constant("stellar"),
    policies: fc.record(
      { fee_payment_strategy: fc.constantFrom("user", "relayer"), timeout_seconds: fc.integer({ min: 0 }) },
      { requiredKeys: ["fee_payment_strategy"] },
    ),
  }),
);

const relayer = fc
  .tuple(
    fc.record(
      {
        id,
        name,
        network: name,
        paused: fc.boolean(),
        signer_id: name,
        custom_rpc_urls: fc.array(rpcUrl, { maxLength: 3 }),
      },
      { requiredKeys: ["id", "name", "network", "paused", "signer_id"] },
    ),
    policies,
  )
  .map(([fields, policies]) => ({ ...fields, ...policies }) as JsonObject);

const notification = fc
  .record(
    { id, url, signing_key: fc.string({ minLength: 32, maxLength: 40 }).map((text) => text.replaceAll("${", "$ {")) },
    { requiredKeys: ["id", "url"] },
  )
  .map((fields) => ({ ...fields, type: "webhook" }) as JsonObject);

const fleets = fc.record({
  relayers: fc.uniqueArray(relayer, { selector: (one) => one.id, maxLength: 5 }),
  notifications: fc.uniqueArray(notification, { selector: (one) => one.id, maxLength: 5 }),
});

function described({ resources }: DesiredFleet): Map<string, JsonValue> {
  return new Map(resources.map(({ noun, id, fields }) => [`${noun} ${id}`, fields]));
}

test("JSON and YAML of the same fleet describe the same resources, indented or not", () =>
  fc.assert(
    fc.asyncProperty(fleets, async (fleet) => {
      const sources = memorySources({
        "a.json": writeJson(fleet),
        "b.json": prettyJson(fleet),
        "c.yaml": await yamlText(fleet),
      });
      const [one, two, three] = await Promise.all(
        ["a.json", "b.json", "c.yaml"].map((file) => readFleetFiles([file], sources)),
      );
      expect(one?.resources).toHaveLength(fleet.relayers.length + fleet.notifications.length);
      for (const other of [two, three])
        expect(described(other as DesiredFleet)).toEqual(described(one as DesiredFleet));
    }),
  ));

test("the order of items and of files does not matter", async () => {
  const shuffled = fleets.chain((fleet) =>
    fc.record({
      fleet: fc.constant(fleet),
      relayers: fc.shuffledSubarray(fleet.relayers, { minLength: fleet.relayers.length }),
      notifications: fc.shuffledSubarray(fleet.notifications, { minLength: fleet.notifications.length }),
      files: fc.constantFrom(["b.json", "c.json"], ["c.json", "b.json"]),
    }),
  );
  await fc.assert(
    fc.asyncProperty(shuffled, async ({ fleet, relayers, notifications, files }) => {
      const sources = memorySources({
        "a.json": writeJson(fleet),
        "b.json": writeJson({ relayers }),
        "c.json": writeJson({ notifications }),
      });
      const others = await readFleetFiles(files, sources);
      expect(described(others)).toEqual(described(await readFleetFiles(["a.json"], sources)));
    }),
  );
});

/** The secrets of the fixture, in its variables, its texts, and its URLs. */
const SECRETS = [
  ...Object.entries(FIXTURE_ENV).flatMap(([name, value]) => (name === "AZURE_TENANT_ID" ? [] : [value])),
  ...["YXBpLWtleS1zZWNyZXQ=", "d2FsbGV0LXNlY3JldA==", "v2/key", "key=1", "example.com/mainnet"],
];

/** A change to a file that may make it wrong: a member of another type, without a name, or twice. */
interface Damage {
  at: number;
  value: JsonValue;
  kind: "replace" | "remove" | "rename";
}

const damages = fc.array(
  fc.record<Damage>({
    at: fc.nat(500),
    value: fc.constantFrom<JsonValue>(
      null,
      7,
      "",
      true,
      [],
      {},
      "1e20",
      "x/***",
      `\${env:GONE}`,
      `\${hidden:key}`,
      `\${x`,
    ),
    kind: fc.constantFrom("replace", "remove", "rename"),
  }),
  { minLength: 1, maxLength: 6 },
);

function damaged(document: JsonObject, damages: readonly Damage[]): JsonObject {
  const copy = parseJson(writeJson(document)) as JsonObject;
  for (const { at, value, kind } of damages) {
    const slots = slotsIn(copy);
    const [holder, key] = slots[at % slots.length] ?? [copy, "relayers"];
    const before = (holder as JsonObject)[key] ?? null;
    if (kind === "replace") (holder as JsonObject)[key] = value;
    else if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    if (kind === "rename" && !Array.isArray(holder)) holder[`${key}x`] = before;
  }
  return copy;
}

function slotsIn(value: JsonValue): [JsonValue[] | JsonObject, string][] {
  if (!Array.isArray(value) && !isJsonObject(value)) return [];
  const entries = Object.entries(value) as [string, JsonValue][];
  return entries.flatMap(([key, member]) => [[value, key] as [JsonObject, string], ...slotsIn(member)]);
}

test("whatever is wrong in a file, no error and no warning contains a secret, and each has a place", async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(damages, fc.boolean(), async (list, isYaml) => {
      const wrong = damaged(FIXTURE, list);
      const file = isYaml ? "config/c.yaml" : CONFIG;
      const sources = fixtureSources({ [file]: isYaml ? await yamlText(wrong) : writeJson(wrong) });
      const outcome = await readFleetFiles([file], sources).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        refused++;
        for (const { where } of refusalOf(outcome).details) expect(where).toMatch(/^config\/[a-z./]+:\d+:\d+( |$)/);
      }
      const said = saidBy(outcome);
      for (const secret of SECRETS) expect(said).not.toContain(secret);
    }),
    runs(12, 6_000),
  );
  expect(refused).toBeGreaterThan(DEEP ? 30 : 8);
});

function refusalOf(error: Error): RelayctlError {
  if (!(error instanceof RelayctlError) || error.exitCode !== 2) throw error;
  return error;
}

function saidBy(outcome: unknown): string {
  if (outcome instanceof RelayctlError)
    return outcome.message + writeJson(outcome.details.map((problem) => ({ ...problem })));
  return writeJson((outcome as DesiredFleet).warnings.map(({ text }) => text));
}
