import type { Config } from "../../../src/config/config.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import type { Resource } from "../../../src/embedded-server/state/collection.ts";
import { createServerState } from "../../../src/embedded-server/state/state.ts";
import { memoryStore, type ServerStore } from "../../../src/embedded-server/state/store.ts";
import { cli, type Ran, SERVER, TOKEN, type World } from "../../helpers/cli.ts";
import { type MemoryJournal, memoryJournal } from "../../helpers/memory/journal.ts";

/** A service and a journal that several commands share. */
export interface Shared extends World {
  config: Config;
  journal: MemoryJournal;
  store: ServerStore;
}

const NETWORK = { network_type: "evm", network: "mainnet", signer_id: "s1", address: "0x1", system_disabled: false };

export function relayer(id: string, more: JsonObject = {}): Resource {
  return { id, name: id, paused: false, policies: { gas_price_cap: 5_000_000_000 }, ...NETWORK, ...more };
}

export function shared(relayers: readonly Resource[] = [relayer("r1"), relayer("r2"), relayer("r3")]): Shared {
  const notifications = [
    { id: "hook", type: "webhook", url: "https://hook.example" },
    { id: "ops", type: "webhook", url: "https://ops.example", signing_key: "k3y-".repeat(12) },
  ];
  const store = memoryStore(createServerState({ relayers, notifications }));
  const contexts = { prod: { server: SERVER, token: TOKEN } };
  return { env: {}, config: { version: 1, current: "prod", contexts }, journal: memoryJournal(), store };
}

/** Runs commands one after the other, each of which has to succeed. */
export async function done(world: Shared, ...lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const { exitCode, stderr } = await cli(line, world);
    if (exitCode !== 0) throw new Error(`${line}: exit ${exitCode}\n${stderr}`);
  }
}

export async function undo(world: Shared, rest = "", more: World = {}): Promise<Ran> {
  return await cli(`undo ${rest}`, { ...world, ...more });
}

export async function relayerIn({ store }: Shared, id: string): Promise<Resource | undefined> {
  return await store.read((state) => structuredClone(state.relayers.get(id)));
}

export function runsIn({ journal }: Shared): string[] {
  return [...new Set(journal.entries.map(({ run }) => run))];
}
