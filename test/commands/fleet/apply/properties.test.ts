import fc from "fast-check";
import { isJsonObject, type JsonObject, type JsonValue, prettyJson } from "../../../../src/contract/json.ts";
import type { Resource } from "../../../../src/embedded-server/state/collection.ts";
import { createServerState, demoNetworks } from "../../../../src/embedded-server/state/state.ts";
import { memoryStore } from "../../../../src/embedded-server/state/store.ts";
import { cli, ends, exits, SERVER, TOKEN } from "../../../helpers/cli.ts";
import { runs } from "../../../helpers/deep.ts";
import type { Lists } from "../../../helpers/fleet.ts";
import { CANARY, generatedFleet } from "../../../helpers/generated-fleet.ts";
import { memoryJournal } from "../../../helpers/memory/journal.ts";
import { serviceOver } from "./world.ts";

/** The policies without rules about each other, so that the service accepts any combination. */
const FREE = [
  ...["min_balance", "gas_price_cap", "gas_limit_estimation", "eip1559_pricing", "private_transactions"],
  ...["whitelist_receivers", "max_signatures", "max_tx_data_size", "max_allowed_fee_lamports", "allowed_programs"],
  ...["max_fee", "timeout_seconds", "concurrent_transactions", "slippage_percentage", "fee_margin_percentage"],
];
const NETWORKS: Readonly<Record<string, string>> = { evm: "sepolia", solana: "devnet", stellar: "testnet" };
const NETWORK = "evm:sepolia";

interface Fleet {
  relayers: Record<string, JsonObject>;
  notifications: Record<string, JsonObject>;
  networks: Record<string, JsonObject>;
}

/** A fleet that the embedded server accepts. */
const fleets: fc.Arbitrary<Fleet> = generatedFleet.map(({ relayers, notifications, networks }) => ({
  relayers: mapped(relayers, ({ policies, ...rest }) => ({
    ...rest,
    network: NETWORKS[String(rest.network_type)] ?? "",
    policies: {
      ...Object.fromEntries(
        Object.entries(isJsonObject(policies) ? policies : {}).filter(([name]) => FREE.includes(name)),
      ),
      ...(rest.network_type === "stellar" && { fee_payment_strategy: "relayer" }),
    },
  })),
  notifications: { ...notifications },
  networks: { [NETWORK]: { rpc_urls: networks["evm:evmnet"]?.rpc_urls ?? [] } },
}));

function mapped(items: Readonly<Record<string, JsonObject>>, change: (fields: JsonObject) => JsonObject) {
  return Object.fromEntries(Object.entries(items).map(([id, fields]) => [id, change(fields)]));
}

function configOf({ relayers, notifications, networks }: Fleet): string {
  const list = (items: Lists["relayers"] & object, change: (fields: JsonObject) => JsonObject = (fields) => fields) =>
    Object.entries(items).map(([id, fields]): JsonObject => ({ id, ...change(fields) }));
  const withKey = ({ signing_key: value, ...rest }: JsonObject): JsonObject =>
    value === undefined ? rest : { ...rest, signing_key: { type: "plain", value } };
  return prettyJson({
    relayers: list(relayers),
    signers: signers(relayers),
    notifications: list(notifications, withKey),
    networks: Object.entries(networks).map(([id, fields]) => {
      const [type = "", network = ""] = id.split(":");
      return { type, network, ...fields };
    }),
  });
}

function signers(relayers: Fleet["relayers"]): Resource[] {
  return Object.values(relayers).map(({ signer_id }) => ({
    ...{ id: String(signer_id), type: "aws_kms", config: { region: "eu-west-1", key_id: "key" } },
  }));
}

/** Returns a service that has the resources of a fleet, without some of them. */
function storeOf({ relayers, notifications, networks }: Fleet, missing: readonly string[]) {
  const resources = (items: Readonly<Record<string, JsonObject>>, more: JsonObject = {}) =>
    Object.entries(items).flatMap(([id, fields]): Resource[] =>
      missing.includes(id) ? [] : [{ id, ...fields, ...more }],
    );
  const network = { id: NETWORK, name: "sepolia", network_type: "evm", chain_id: 11_155_111, ...networks[NETWORK] };
  return memoryStore(
    createServerState({
      relayers: resources(relayers, { address: `0x${"1".repeat(40)}`, system_disabled: false }),
      notifications: resources(notifications),
      signers: signers(relayers),
      networks: [...demoNetworks.filter(({ id }) => id !== NETWORK), network as Resource],
    }),
  );
}

const lacking = fc.subarray(["evm-1", "solana-1", "stellar-2"]);
const conditions = fc.record({ isReal: fc.boolean(), isJournaled: fc.boolean(), isSaved: fc.boolean() });

test("after an apply, a plan is empty and a second apply sends nothing, whatever the fleets", () =>
  fc.assert(
    fc.asyncProperty(
      fleets,
      fleets,
      lacking,
      conditions,
      async (before, wanted, missing, { isReal, isJournaled, isSaved }) => {
        const store = storeOf(before, missing);
        const files: Record<string, string> = { "config.json": configOf(wanted) };
        const env = {
          RELAYCTL_SERVER: SERVER,
          RELAYCTL_TOKEN: TOKEN,
          ...(isJournaled && { RELAYCTL_JOURNAL: "journal" }),
        };
        const world = { store, files, env, journal: memoryJournal(), ...(isReal && { service: serviceOver(store) }) };
        const planned = await cli("plan -f config.json --out plan.json -o json", world);
        const plan = JSON.parse(planned.stdout) as { changes: { consent: string; id: string }[] };
        const typed = plan.changes.filter(({ consent }) => consent === "id");
        const word = typed.length === 1 ? typed[0]?.id : `${plan.changes.length} changes`;
        const consent = typed.length === 0 ? ["--yes"] : ["--confirm", String(word)];
        const words = isSaved ? ["plan.json"] : ["-f", "config.json"];
        const first = await exits(0, ["apply", ...words, ...consent], world);
        const again = await exits(0, "plan -f config.json", world);
        const second = await ends({ exitCode: 0, writes: [] }, ["apply", "-f", "config.json", "--yes"], world);
        const outputs = [planned, first, again, second].map(({ stdout, stderr }) => stdout + stderr).join("");
        expect(outputs + files["plan.json"] + prettyJson(world.journal.entries as unknown as JsonValue)).not.toContain(
          CANARY,
        );
      },
    ),
    runs(2, 200),
  ));
