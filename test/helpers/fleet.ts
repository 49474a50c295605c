import { isJsonObject, type JsonObject, type JsonValue } from "../../src/contract/json.ts";
import { maskRpcUrl } from "../../src/contract/rpc-url.ts";
import { secretFieldsIn, withSecretFields } from "../../src/contract/secret-fields.ts";
import { type CompareOptions, compareFleets } from "../../src/fleet/compare/compare-fleets.ts";
import { type DesiredFleet, type DesiredResource, FLEET_NOUNS, type FleetNoun } from "../../src/fleet/desired-fleet.ts";
import { NO_SECRETS } from "../../src/fleet/known-secrets.ts";
import type { LiveFleet } from "../../src/fleet/live.ts";

/** The lists of a fleet, each with the fields of its resources by ID. */
export type Lists = Partial<Record<FleetNoun, Readonly<Record<string, JsonObject>>>>;

/** A fleet as files describe it. Each list is in the files. */
export function desiredFleet(lists: Lists): DesiredFleet {
  const resources = Object.entries(lists).flatMap(([noun, items]) =>
    Object.entries(items).map(([id, fields]) => desiredResource(noun as FleetNoun, id, fields)),
  );
  return { resources, nouns: new Set(Object.keys(lists) as FleetNoun[]), warnings: [], doubts: [] };
}

function desiredResource(noun: FleetNoun, id: string, fields: JsonObject): DesiredResource {
  const place = { file: "config.json", line: 12, column: 5 };
  return {
    noun,
    id,
    fields,
    place,
    placeOf: () => place,
    references: new Map(referencesOf(noun, id, fields)),
    hidden: new Set(),
  };
}

/** A service with these resources. A noun without a list was not read. */
export function liveFleet(lists: Lists, unavailable: readonly FleetNoun[] = []): LiveFleet {
  const resources = Object.fromEntries(
    FLEET_NOUNS.map((noun) => {
      const items = Object.entries(lists[noun] ?? {});
      return [noun, new Map(items.map(([id, fields]) => [id, { id, ...fields }]))];
    }),
  ) as unknown as LiveFleet["resources"];
  return { resources, unavailable, nouns: new Set([...(Object.keys(lists) as FleetNoun[]), ...unavailable]) };
}

/** Compares two fleets, with what does not matter here. */
export async function compared(
  desired: Lists | DesiredFleet,
  live: Lists | LiveFleet,
  options: Partial<CompareOptions> = {},
) {
  const [files, service] = [
    "warnings" in desired ? (desired as DesiredFleet) : desiredFleet(desired as Lists),
    "unavailable" in live ? (live as LiveFleet) : liveFleet(live as Lists),
  ];
  const { plan, referred } = await compareFleets(files, service, {
    server: "https://relayer.example.org",
    now: Date.UTC(2026, 10, 23),
    files: ["config.json"],
    known: NO_SECRETS,
    prune: false,
    sendHidden: false,
    ...options,
  });
  const secrets = [...referred.values()].flatMap((values) => [...values.values()]);
  return { plan, referred, secrets: new Map(secrets.map(({ reference, value }) => [reference, String(value)])) };
}

/** How a plan refers to a secret of such a fleet. */
export function reference(noun: FleetNoun, id: string, path: string): string {
  return `\${source:config.json#/${noun}/${id}/${path}}`;
}

function* referencesOf(noun: FleetNoun, id: string, fields: JsonObject): Generator<[string, string]> {
  const refer = (path: string): [string, string] => [path, reference(noun, id, path)];
  const paths: string[] = [];
  if (secretFieldsIn(fields).length > 0) {
    withSecretFields(fields, (secret, path) => {
      if (!secret.startsWith("${hidden:")) paths.push(path);
      return secret;
    });
  }
  for (const path of paths) yield refer(path);
  for (const list of ["custom_rpc_urls", "rpc_urls"]) yield* urlPaths(list, fields[list]).map(refer);
  if (typeof fields.url === "string" && fields.url.includes("@")) yield refer("url");
}

function urlPaths(list: string, urls: JsonValue | undefined): string[] {
  if (!Array.isArray(urls)) return [];
  return urls.flatMap((entry, index) => {
    const url = isJsonObject(entry) ? entry.url : undefined;
    const isSecret = typeof url === "string" && !url.startsWith("${") && maskRpcUrl(url) !== url;
    return isSecret ? [`${list}.${index}.url`] : [];
  });
}

/** Puts secrets in the place of their references. */
export function resolved(value: JsonValue, secrets: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === "string") return secrets.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => resolved(item, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member, secrets)]));
}
