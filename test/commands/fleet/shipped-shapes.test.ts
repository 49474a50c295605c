import type { Transport } from "../../../src/client/transport/transport.ts";
import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  parseJson,
  prettyJson,
  withJsonLeaves,
} from "../../../src/contract/json.ts";
import type { Resource } from "../../../src/embedded-server/state/collection.ts";
import { createServerState } from "../../../src/embedded-server/state/state.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { cli, SERVER, TOKEN } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { NETWORK_FILES, SECRETS, SHAPES, type Shape, sealed } from "./shipped-shapes.ts";

const ENV = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };

const networksIn = (files: readonly JsonValue[]) =>
  files.flatMap((file) => (isJsonObject(file) ? (file.networks as JsonArray) : [])) as JsonObject[];

/** A network of a file as the service returns it. */
function network({ type, network: name, rpc_urls: urls, ...others }: JsonObject): Resource {
  const rpc_urls = (urls as string[]).map((url) => ({ url, weight: 100 }));
  return { id: `${type}:${name}`, name, network_type: type, rpc_urls, ...others } as Resource;
}

function live(item: JsonObject, more: JsonObject): Resource {
  return { ...item, ...more } as JsonObject & Resource;
}

/** A service that started with a file, and a service that only has its networks. */
function services(shape: Shape): { matching: Transport; empty: Transport } {
  const { relayers, signers, notifications, plugins } = shape.config(true);
  const networks = networksIn(Object.values(NETWORK_FILES)).map(network);
  const started = {
    relayers: relayers.map((each) => live(each, { address: `0x${"1".repeat(40)}`, system_disabled: false })),
    signers: signers.map((each) => live(each, { config: each.type === "local" ? {} : visible(each.config) })),
    notifications: notifications.map((each) => live(each, { signing_key: SECRETS.WEBHOOK_SIGNING_KEY ?? "" })),
    plugins: (plugins as JsonObject[]).map((each) => live(each, { raw_response: false })),
  };
  const serving = (state: Parameters<typeof createServerState>[0]) => {
    return testServer({ store: memoryStore(createServerState({ networks, ...state })), isReal: true });
  };
  return { matching: serving(started), empty: serving({}) };
}

/** What the service returns of a config: nothing that comes from a variable. */
function visible(config: JsonValue | undefined): JsonObject {
  const members = Object.entries(isJsonObject(config) ? config : {}).flatMap(([name, value]): [string, JsonValue][] => {
    if (!isJsonObject(value)) return value === null ? [] : [[name, value]];
    return value.type === "env" ? [] : [[name, visible(value)]];
  });
  return Object.fromEntries(members);
}

function filesOf({ path, networks }: Shape, config: JsonObject): Record<string, string> {
  const folder = Object.entries(networks === undefined ? {} : NETWORK_FILES);
  return {
    [path]: prettyJson(config),
    ...Object.fromEntries(
      [0, 1, 2, 3].map((n) => [`config/keys/key-${n}.json`, prettyJson(sealed(SECRETS[`PASSPHRASE_${n}`] ?? ""))]),
    ),
    ...Object.fromEntries(folder.map(([name, value]) => [`${networks}/${name}`, prettyJson(value)])),
  };
}

function variablesIn(value: JsonValue): string[] {
  if (isJsonObject(value) && value.type === "env") return [String(value.value)];
  return value !== null && typeof value === "object"
    ? Object.values(value).flatMap((each) => variablesIn(each as JsonValue))
    : [];
}

function leavesOf(config: JsonObject): ReadonlyMap<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  withJsonLeaves(config, (leaf, path) => {
    found.set(path, leaf);
    return leaf;
  });
  return found;
}

function differing(one: JsonObject, other: JsonObject): string[] {
  const values = leavesOf(other);
  return [...leavesOf(one)].flatMap(([path, leaf]) => (values.get(path) === leaf ? [] : [path]));
}

type Row = { noun: string; id: string; path: string; reason: string };

async function planned(shape: Shape, files: Record<string, string>, service: Transport, env: JsonObject = {}) {
  const ran = await cli(`plan -f ${shape.path} -o json`, {
    files,
    service,
    env: { ...ENV, ...(env as Record<string, string>) },
  });
  if (ran.stdout === "") throw new Error(ran.stderr);
  const plan = parseJson(ran.stdout) as JsonObject;
  return { exitCode: ran.exitCode, changes: plan.changes as unknown as Row[], cannot: plan.cannot as unknown as Row[] };
}

test("there are 31 shapes", () => {
  expect(SHAPES).toHaveLength(31);
  expect(SHAPES.every((shape) => shape.config(true).relayers.every(({ network: name }) => name !== ""))).toBe(true);
});

describe.each(sampled(SHAPES, 6))("$name", (shape) => {
  const config = shape.config(false);
  const open = differing(config, shape.config(true));
  const files = filesOf(shape, config);
  const { empty, matching } = services(shape);
  const isLocal = config.signers.every(({ type }) => type === "local");

  test("is planned for an empty service: a row for each resource that cannot be created says what it needs", async () => {
    const { exitCode, changes, cannot } = await planned(shape, files, empty);
    expect({ exitCode, changes }).toEqual({ exitCode: 20, changes: [] });
    for (const [noun, one] of [
      ["signers", "signer"],
      ["notifications", "notification"],
    ] as const)
      for (const [index, { id, ...fields }] of config[noun].entries()) {
        const rows = cannot.filter((row) => row.noun === noun && row.id === id);
        expect(rows.map(({ reason }) => reason)).toEqual([expect.stringContaining(`cannot create ${one} ${id}: `)]);
        for (const name of variablesIn(fields))
          expect(rows[0]?.reason).toMatch(new RegExp(`set [A-Z0-9_, ]*\\b${name}\\b`));
        for (const path of open.filter((each) => each.startsWith(`${noun}.${index}.`)))
          expect(rows[0]?.reason).toContain(`${path.slice(`${noun}.${index}.`.length)}`);
      }
    expect(cannot.every(({ reason, noun }) => reason.startsWith("cannot create ") || noun === "networks")).toBe(true);
  });

  test("is planned for a service that started with it: only what is to be filled in is a row", async () => {
    const { exitCode, changes, cannot } = await planned(shape, files, matching);
    const rows = cannot.map(({ noun, id, path, reason }) => {
      expect(reason).toBe(`fill in ${path}`);
      return `${noun}.${(config as Record<string, JsonObject[]>)[noun]?.findIndex((each) => each.id === id)}.${path}`;
    });
    const unset = shape.name === "basic-example" ? [] : open;
    expect({ exitCode, changes, rows: rows.sort() }).toEqual({
      exitCode: unset.length + open.length > 0 ? 20 : 0,
      changes: [],
      rows: [...open].sort(),
    });
  });

  test("is created once everything is filled in and set, as far as the API can", async () => {
    const filled = filesOf(shape, shape.config(true));
    const { changes, cannot } = await planned(shape, filled, empty, SECRETS);
    const isCreated = ({ noun }: Row) => noun !== "relayers" || !isLocal;
    expect(changes.filter(({ noun }) => noun === "notifications")).toHaveLength(config.notifications.length);
    expect(changes.filter(isCreated).map(({ noun }) => noun)).toEqual([
      ...config.notifications.map(() => "notifications"),
      ...(isLocal ? [] : [...config.signers.map(() => "signers"), ...config.relayers.map(() => "relayers")]),
    ]);
    expect(cannot.every(({ noun }) => isLocal && noun === "relayers")).toBe(true);
  });

  test("is validated: each unfinished value alone is found at its line, and nothing else", async () => {
    const line = `validate ${shape.path} -o json`;
    const validated = async (changed: JsonObject, env: Record<string, string>) => {
      const { stdout, exitCode } = await cli(line, { files: filesOf(shape, changed), env });
      return {
        exitCode,
        found: (parseJson(stdout) as unknown as JsonObject[]).filter(({ code }) => code !== "missing_member"),
      };
    };
    const ok = shape.name === "basic-example" ? 13 : 0;
    const filled = shape.config(true);
    expect(await validated(filled, SECRETS)).toEqual({ exitCode: ok, found: [] });
    for (const path of open) {
      const one = withJsonLeaves(filled, (leaf, at) =>
        at === path ? (leavesOf(config).get(path) ?? null) : leaf,
      ) as JsonObject;
      const { exitCode, found } = await validated(one, SECRETS);
      expect({ exitCode, found }).toMatchObject({
        exitCode: ok,
        found: [{ path, severity: "note", code: "placeholder", line: lineOf(one, path) }],
      });
      expect(
        (await cli(`validate ${shape.path} --strict`, { files: filesOf(shape, one), env: SECRETS })).exitCode,
      ).toBe(13);
    }
    for (const name of new Set(variablesIn(config))) {
      const { [name]: _, ...others } = SECRETS;
      const { exitCode, found } = await validated(filled, others);
      expect({ exitCode, found }).toMatchObject({ exitCode: ok, found: [{ code: "not_set", fix: `set ${name}` }] });
    }
  });
});

function lineOf(config: JsonObject, path: string): number {
  const marked = withJsonLeaves(config, (leaf, at) => (at === path ? "HERE" : leaf));
  return (
    prettyJson(marked)
      .split("\n")
      .findIndex((line) => line.includes('"HERE"')) + 1
  );
}
