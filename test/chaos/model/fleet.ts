import { isDeepStrictEqual } from "node:util";
import { type Json, mergePatched } from "../../safety/properties/merge-patched.ts";

/** What a request may change of a relayer, as the service stores it. */
export interface Settings {
  name: string;
  paused: boolean;
  policies: { [name: string]: Json };
}

export type Patch = { [name: string]: Json };

export interface ServiceRelayer {
  readonly id: string;
  readonly address: string;
  readonly settings: Settings;
  readonly isPaused: boolean;
  /** Why the service disabled it (facts 4.2, 16.5). */
  disabled?: "RpcValidationFailed" | "BalanceCheckFailed" | undefined;
}

/** One patch that was applied, whether it changed something or not. */
export interface RelayerChange {
  relayer: string;
  body: Patch;
  before: Settings;
  after: Settings;
}

/** The relayers of the service, and every change of them. */
export interface Fleet {
  readonly relayers: readonly ServiceRelayer[];
  /** Oldest first. */
  readonly changes: readonly RelayerChange[];
  change: (id: string, body: Patch) => RelayerChange;
  /** What a relayer was like after so many changes of the fleet. */
  at(id: string, count: number): Settings;
}

/** @param policies of the first relayer */
export function createFleet(addresses: Readonly<Record<string, string>>, policies: Settings["policies"]): Fleet {
  const first = new Map<string, Settings>();
  const now = new Map<string, Settings>();
  const changes: RelayerChange[] = [];
  const relayers = Object.entries(addresses).map(([id, address], index): ServiceRelayer => {
    const settings = { name: id, paused: false, policies: index === 0 ? policies : {} };
    first.set(id, settings);
    now.set(id, settings);
    return {
      id,
      address,
      get settings() {
        return now.get(id) ?? settings;
      },
      get isPaused() {
        return this.settings.paused;
      },
    };
  });
  return {
    relayers,
    changes,
    change(id, body) {
      const before = now.get(id) as Settings;
      const after = patched(before, body);
      const change = { relayer: id, body, before, after };
      now.set(id, after);
      changes.push(change);
      return change;
    },
    at(id, count) {
      const last = changes.slice(0, count).findLast(({ relayer }) => relayer === id);
      return last?.after ?? (first.get(id) as Settings);
    },
  };
}

/** Amounts are stored as numbers, however a request spells them (facts 4.3). */
const AMOUNTS = ["gas_price_cap", "min_balance"];

/** A relayer with a merge patch (facts 4.5). */
export function patched(settings: Settings, body: Patch): Settings {
  const { policies, ...rest } = mergePatched(settings as unknown as Json, body) as unknown as Settings;
  const entries = Object.entries(policies ?? {});
  const read = entries.map(([name, value]) => [name, AMOUNTS.includes(name) ? Number(value) : value]);
  return { ...rest, policies: Object.fromEntries(read) };
}

/** What the service returns where a policy is unset, as long as another one is set (facts 4.3). */
const DEFAULTS = { min_balance: 1, gas_limit_estimation: true, include_revert_data: false };

export function shownPolicies({ policies }: Settings): Settings["policies"] | undefined {
  return Object.keys(policies).length === 0 ? undefined : { ...DEFAULTS, ...policies };
}

/** Every member that a request can change, by its path. What is unset has its default, whether that is returned or not. */
export function membersOf(settings: Settings): Map<string, string> {
  const { name, paused } = settings;
  const policies = Object.entries({ ...DEFAULTS, ...settings.policies }).map(([key, value]) => [
    `policies.${key}`,
    value,
  ]);
  const all: [string, Json][] = [["name", name], ["paused", paused], ...(policies as [string, Json][])];
  return new Map(all.map(([path, value]) => [path, JSON.stringify(value)]));
}

/** The paths of the members in which two states differ. */
export function differencesOf(one: Settings, other: Settings): string[] {
  const [these, those] = [membersOf(one), membersOf(other)];
  const paths = new Set([...these.keys(), ...those.keys()]);
  return [...paths].filter((path) => these.get(path) !== those.get(path));
}

/** Whether a relayer has everything that a patch requests. */
export function holds(settings: Settings, body: Patch): boolean {
  return differencesOf(settings, patched(settings, body)).length === 0;
}

export function isSameRequest(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(spelled(one), spelled(other));
}

function spelled(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, spelled(member)]));
}
