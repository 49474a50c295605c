import type { Client } from "../../client/client.ts";
import { lacksRoute } from "../../client/read-named.ts";
import { ONE, probingClient } from "../../command-support/session/probe.ts";
import type { ServiceSettings } from "../../config/resolve-settings.ts";
import { RelayctlError, rescueUnlessInterrupted } from "../../errors.ts";
import { readCredentials } from "../../session/read-credentials.ts";
import type { Call, CommandFile } from "../command.ts";
import {
  keptSettingsPlace,
  readContextSettings,
  type SourcedRow,
  settingsLines,
  settingsObject,
  settingsRows,
} from "../context/settings-rows.ts";

export const authStatus: CommandFile = {
  summary: "Show which server and token commands use, and whether the token works",
  sends: "probe",
  ends: { ok: "token works" },
  examples: ["relayctl auth status", "relayctl auth status --context prod", "relayctl auth status -o json"],
  description:
    "Show which server and token commands use, and where each setting comes from, then verify the token by requesting a list of one relayer, and show which groups of routes it may read. Nothing is written, so the rights to write stay unknown.",
  async run(call) {
    const settings = await readContextSettings(call);
    const kept = await keptSettingsPlace(call, settings);
    const identity = settingsRows(settings, kept?.place);
    const { total, milliseconds, expiresAt, groups } = await checkIdentity(call, settings, identity);
    const expires = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
    const rows = [
      ...identity,
      ...(expires === null ? [] : [{ label: "expires", text: expires, from: "" }]),
      { label: "checked", text: `ok, ${milliseconds} ms`, from: "" },
      ...groups.map(({ group, message, readable }) => ({ label: group, text: groupText(readable, message), from: "" })),
    ];
    return {
      kind: "facts",
      lines: settingsLines(rows),
      value: {
        ...settingsObject(settings),
        checked: "ok",
        relayers: total ?? null,
        token_store: kept?.store ?? null,
        token_expires_at: expires,
        routes: groups.map((each) => ({ ...each })),
      },
    };
  },
};

async function checkIdentity(call: Call, settings: ServiceSettings, identity: readonly SourcedRow[]) {
  const { app, say } = call;
  const started = app.clock.elapsed();
  try {
    const { expiresAt, ...credentials } = await readCredentials(settings, app, { withToken: true, say });
    const client = await probingClient(app, settings, credentials, (event) => {
      if (event.type === "note") void say({ note: event.text });
    });
    const first = await readFirst(client.relayers.list(ONE));
    const milliseconds = Math.round(app.clock.elapsed() - started);
    const groups = await readGroups(client, first);
    return { total: first.total, milliseconds, groups, ...(expiresAt !== undefined && { expiresAt }) };
  } catch (error) {
    // The known settings help to find the cause.
    for (const row of identity)
      await call.say([row.label.padEnd(8), row.text, row.from].filter((part) => part !== "").join("  "));
    throw error;
  }
}

function groupText(readable: boolean | null, message: string | null): string {
  if (readable) return "may be read";
  return `${readable === false ? "may not be read" : "not known"}: ${message}`;
}

interface Group {
  group: string;
  /** Null if unknown. */
  readable: boolean | null;
  /** Why not, in the service's words, which name the missing permission. */
  message: string | null;
}

interface First {
  id?: string;
  total: number | undefined;
  refusal?: RelayctlError;
}

type Pages = AsyncIterable<{ items: readonly { id?: unknown }[]; total?: number | undefined }>;

/** Reads the first page of a list. @throws RelayctlError unless the service refused it for a missing permission */
async function readFirst(pages: Pages): Promise<First> {
  try {
    for await (const { items, total } of pages) {
      const id = items[0]?.id;
      return { total, ...(typeof id === "string" && { id }) };
    }
    return { total: undefined };
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return { total: undefined, refusal: error };
  }
}

function isForbidden(error: unknown): error is RelayctlError {
  return error instanceof RelayctlError && error.http?.status === 403 && error.subject?.kind !== "gateway";
}

/** Reads one item of each group of routes. @throws the refusal of the relayers, if the token may read nothing */
async function readGroups(client: Client, relayers: First): Promise<Group[]> {
  const { id, refusal } = relayers;
  const groups = await Promise.all([
    probeGroup("relayers", async () => relayers),
    id === undefined
      ? { group: "transactions", readable: null, message: "no relayer is listed" }
      : probeGroup("transactions", () => readFirst(client.tx.list(id, ONE))),
    probeGroup("notifications", () => readFirst(client.notifications.list(ONE))),
    probeGroup("signers", () => readFirst(client.signers.list(ONE))),
    probeGroup("networks", () => readFirst(client.networks.list(ONE))),
    probeGroup("plugins", () => readFirst(client.plugins.list(ONE))),
  ]);
  if (refusal && !groups.some(({ readable }) => readable)) throw refusal;
  return groups;
}

async function probeGroup(group: string, read: () => Promise<First>): Promise<Group> {
  const probing = read().then(({ refusal }) => ({ group, readable: !refusal, message: refusal?.message ?? null }));
  return await rescueUnlessInterrupted(probing, (error) => {
    const message = lacksRoute(error) ? "this version of the service does not have it" : error.message;
    return { group, readable: null, message };
  });
}
