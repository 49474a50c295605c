import type { Resource } from "../../../src/embedded-server/state/collection.ts";
import { createState, type KeptState } from "../../../src/embedded-server/state/state.ts";
import { memoryStore, type ServerStore } from "../../../src/embedded-server/state/store.ts";
import { cli, type Ran } from "../../helpers/cli.ts";
import type { World } from "../../helpers/test-app.ts";

const ETH = 10n ** 18n;

/** A finding as `-o json` prints it. */
interface Item {
  code: string;
  severity: string;
  relayer: string | null;
  message: string;
  since: string | null;
  command: string | null;
  advice: string | null;
}

export interface Report {
  findings: Item[];
  skipped: { code: string | null; relayer: string | null; reason: string }[];
}

/** An EVM relayer with nothing to find. */
export function well(fields: Partial<Resource> = {}): Resource {
  return {
    id: "r1",
    name: "R1",
    network: "mainnet",
    network_type: "evm",
    address: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    signer_id: "s1",
    notification_id: "ops",
    paused: false,
    system_disabled: false,
    ...fields,
    policies: {
      eip1559_pricing: true,
      gas_price_cap: 80_000_000_000,
      min_balance: ETH / 10n,
      whitelist_receivers: ["0x52908400098527886E0F7030069857D2E4169EE7"],
      ...(fields.policies as object | undefined),
    },
  };
}

/** A notification with nothing to find. */
const hook = (fields: Partial<Resource> = {}): Resource => ({
  id: "ops",
  type: "webhook",
  url: "https://hooks.example.org/ops",
  signing_key: "a-signing-key-of-at-least-32-bytes",
  ...fields,
});

/** The state of a service with these relayers. */
export function serviceWith(relayers: readonly Resource[], more: KeptState = {}): ServerStore {
  return memoryStore(createState({ relayers, notifications: [hook()], ...more }));
}

/** Examines a service, and returns what was printed. */
export async function examined(world: World, line = "doctor"): Promise<Ran & Report> {
  const ran = await cli(`${line} -o json`, world);
  return { ...ran, ...(JSON.parse(ran.stdout) as Report) };
}

/** Returns each finding in a few words: `fail REL-PAUSED r1`. */
export function words({ findings }: Pick<Report, "findings">): string[] {
  return findings.map(({ severity, code, relayer }) => [severity, code, relayer].filter(Boolean).join(" "));
}
