import type { Transport } from "../../../../src/client/transport/transport.ts";
import { type JsonObject, prettyJson } from "../../../../src/contract/json.ts";
import type { Resource } from "../../../../src/embedded-server/state/collection.ts";
import { createServerState, type ServerState } from "../../../../src/embedded-server/state/state.ts";
import { memoryStore, type ServerStore } from "../../../../src/embedded-server/state/store.ts";
import { cli, type Ran, SERVER, TOKEN, type World } from "../../../helpers/cli.ts";
import { manualClock } from "../../../helpers/manual-clock.ts";
import { type MemoryJournal, memoryJournal } from "../../../helpers/memory/journal.ts";
import { CANARY_KEY } from "../../../helpers/scan.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { testServer } from "../../../helpers/service/test-server.ts";

/** A service, a journal, and files that several commands share. */
export interface FleetWorld extends World {
  env: Record<string, string>;
  files: Record<string, string>;
  journal: MemoryJournal;
  store: ServerStore;
}

export type Lists = Record<string, JsonObject[]>;

const COMMON = { network_type: "evm", network: "sepolia" };

export function described(id: string, more: JsonObject = {}): JsonObject {
  return { id, name: id, paused: false, signer_id: `kms-${id}`, ...COMMON, ...more };
}

export function relayer(id: string, more: JsonObject = {}): Resource {
  return { ...described(id, more), id, address: `0x${"1".repeat(40)}`, system_disabled: false };
}

export function signer(id: string): Resource {
  return { id, type: "aws_kms", config: { region: "eu-west-1", key_id: `key-of-${id}` } };
}

export const HOOK = { id: "ops", type: "webhook", url: "https://ops.example.org/events" };

/** The service has ten relayers, each with a signer, and a notification. */
export const RELAYER_IDS = Array.from({ length: 10 }, (_, index) => `r${index}`);
export const SIGNERS = RELAYER_IDS.map((id) => signer(`kms-${id}`));

/** Returns a file that describes exactly these, with some changes. */
export function listsOf(changes: Record<string, JsonObject> = {}, more: Lists = {}): Lists {
  const relayers = RELAYER_IDS.map((id) => described(id, changes[id]));
  return { relayers, signers: SIGNERS, notifications: [HOOK], ...more };
}

interface Options {
  lists?: Lists;
  isReal?: boolean;
  isJournaled?: boolean;
  relayers?: readonly Resource[];
}

export function fleetWorld({
  lists = listsOf(),
  isReal = false,
  isJournaled = false,
  relayers,
}: Options = {}): FleetWorld {
  const initial = relayers ?? RELAYER_IDS.map((id) => relayer(id));
  const plugins = [{ id: "sweep", path: "sweep.ts", timeout: 300, raw_response: false }];
  const store = memoryStore(createServerState({ relayers: initial, signers: SIGNERS, notifications: [HOOK], plugins }));
  return {
    env: {
      RELAYCTL_SERVER: SERVER,
      RELAYCTL_TOKEN: TOKEN,
      KEY: CANARY_KEY,
      ...(isJournaled && { RELAYCTL_JOURNAL: "journal" }),
    },
    files: { "config.json": prettyJson(lists) },
    journal: memoryJournal(),
    store,
    ...(isReal && { service: serviceOver(store) }),
  };
}

/** Returns the service that operators run, with this state. */
export function serviceOver(store: ServerStore): Transport {
  return testServer({ store, clock: manualClock(undefined, new AbortController().signal), isReal: true });
}

export function describeAs(world: FleetWorld, lists: Lists): void {
  world.files["config.json"] = prettyJson(lists);
}

export async function change(world: FleetWorld, edit: (state: ServerState) => void): Promise<void> {
  await world.store.change(edit);
}

/** Changes a relayer without the plan's knowledge. */
export async function patchRelayer(world: FleetWorld, id: string, patch: JsonObject): Promise<void> {
  await change(world, (state) => state.relayers.put({ ...(state.relayers.get(id) ?? relayer(id)), ...patch }));
}

export async function relayerIn(world: FleetWorld, id: string): Promise<Resource | undefined> {
  return await world.store.read((state) => structuredClone(state.relayers.get(id)));
}

/** The outcomes of the rows, by resource: `relayers/r1 update applied`. */
export function outcomesOf({ stdout }: Ran): string[] {
  const rows = JSON.parse(stdout) as { noun: string; id: string; action: string | null; outcome: string }[];
  return rows.map(({ noun, id, action, outcome }) => `${noun}/${id} ${action} ${outcome}`);
}

/** The writes that were sent: `PATCH relayers/r1`. */
export function writesOf({ writes }: Ran): string[] {
  return writes.map(({ method, target }) => `${method} ${target.replace("/api/v1/", "")}`);
}

export async function apply(world: FleetWorld, rest = "-f config.json --yes", more: World = {}): Promise<Ran> {
  return await cli(`apply ${rest} -o json`, { ...world, ...more });
}

export function refusing(world: FleetWorld, method: string, target: string): Transport {
  return async (request, limits) => {
    if (request.method === method && request.target === target)
      return reply(400, { success: false, data: null, error: "Invalid signer configuration" });
    return await serviceOf(world)(request, limits);
  };
}

/** Returns the service, which is changed when the nth matching request arrives. */
export function changedAt(
  world: FleetWorld,
  { method, target, nth = 1 }: { method: string; target: RegExp; nth?: number },
  edit: () => Promise<void>,
): Transport {
  let seen = 0;
  return async (request, limits) => {
    if (request.method === method && target.test(request.target) && ++seen === nth) await edit();
    return await serviceOf(world)(request, limits);
  };
}

function serviceOf({ service }: FleetWorld): Transport {
  if (!service) throw new Error("the world has no service of its own");
  return service;
}
