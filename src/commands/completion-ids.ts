import type { Client } from "../client/client.ts";
import type { ListPage } from "../client/pagination/list-page.ts";
import { keptIds, keptText } from "../completion/kept-ids.ts";
import { type Candidate, LIVE_KINDS, type LiveKind } from "../completion/words.ts";
import type { Settings } from "../config/resolve-settings.ts";
import { idProblem } from "../contract/id.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Notification } from "../contract/resources/notification.ts";
import { isPending, type Transaction } from "../contract/transaction/transaction.ts";
import { stateCell } from "../relayer-state/state.ts";
import { readSettings } from "../session/read-settings.ts";
import { escapeText, needsNoEscape } from "../terminal/escape.ts";
import { signingKeyWord } from "../views/notification.ts";
import { newestTransactions } from "../views/transaction/newest.ts";
import { createCommand } from "./command.ts";

const MOST = 10_000;
const MOST_TRANSACTIONS = 1_000;

async function readLiveIds(client: Client, kind: LiveKind, relayer: string): Promise<Candidate[]> {
  switch (kind) {
    case "relayer":
      return candidates(await first(client.relayers.list()), (relayer) => [relayer.network, stateCell(relayer).text]);
    case "notification":
      return candidates(await first(client.notifications.list()), notificationWords);
    case "signer":
      return candidates(await first(client.signers.list()), ({ type }) => [type]);
    case "network":
      return candidates(await first(client.networks.list()), ({ chain_id, is_testnet }) => [
        typeof chain_id === "number" ? `chain ${chain_id}` : undefined,
        is_testnet === true ? "testnet" : undefined,
      ]);
    case "plugin":
      return candidates(await first(client.plugins.list()), ({ path }) => [path]);
    case "transaction":
      return candidates(await recentTransactions(client, relayer), transactionWords);
    case "pending-transaction":
      return candidates((await recentTransactions(client, relayer)).filter(isPending), transactionWords);
  }
}

async function recentTransactions(client: Client, relayer: string): Promise<Transaction[]> {
  return (await newestTransactions(client, relayer, MOST_TRANSACTIONS)) ?? [];
}

async function first<T extends JsonObject>(pages: AsyncIterable<ListPage<T>>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) {
    items.push(...page.items);
    if (items.length >= MOST) break;
  }
  return items.slice(0, MOST);
}

type Word = string | null | undefined;

/** Returns candidates without IDs that would act on a terminal, hide in the line, or be parsed as a flag. */
function candidates<T extends { id: string }>(items: readonly T[], wordsOf: (item: T) => readonly Word[]): Candidate[] {
  return items
    .filter(({ id }) => idProblem(id) === undefined && needsNoEscape(id) && !id.startsWith("-"))
    .map((item) => ({ word: item.id, summary: escapeText(wordsOf(item).filter(Boolean).join(", ")) }));
}

/** Returns only the host: the path of a webhook's URL is often its key. */
function notificationWords(notification: Notification): Word[] {
  const { url } = notification;
  return [url && URL.canParse(url) ? new URL(url).host : undefined, signingKeyWord(notification)];
}

function transactionWords({ status, nonce }: Transaction): Word[] {
  return [status, typeof nonce === "number" ? `nonce ${nonce}` : undefined];
}

export const completionIds = createCommand({
  summary: "Store the service's IDs for completion",
  examples: [],
  sends: "read",
  args: [
    { name: "<kind>", description: LIVE_KINDS.join(", ") },
    { name: "<name>", description: "Name of the file to store them in" },
    { name: "[relayer]", description: "Relayer whose transactions are stored" },
  ],
  async prepare({ args }, problems) {
    const [typed, name = "", relayer = ""] = args;
    const kind = LIVE_KINDS.find((kind) => kind === typed);
    if (!kind) problems.add("<kind>", `one of ${LIVE_KINDS.join(", ")}`, typed);
    if (!/^[0-9a-f]{16}$/.test(name)) problems.add("<name>", "16 hex digits", name);
    return { kind: kind ?? "relayer", name, relayer };
  },
  async run(call, { kind, name, relayer }) {
    const { app, common } = call;
    const settings = await readSettings(app, common);
    await app.keepForCompletion(name, async (text) => {
      const keeping = { now: app.clock.now(), token: app.env.RELAYCTL_TOKEN };
      // Another process may have read the IDs since this one started.
      if (text !== undefined && (await keptIds(text, keeping))) return app.secrets.redact(text);
      const ids = runsProgram(settings) ? [] : await readLiveIds((await call.session()).client, kind, relayer);
      return app.secrets.redact(await keptText(ids, app.random.uuid(), keeping));
    });
    return { kind: "nothing" };
  },
});

/** Returns whether a program prints credentials: it may prompt, and completion never runs one (promises 6). */
function runsProgram(settings: Settings): boolean {
  return !settings.demo && [settings.token, ...settings.headers].some(({ kind }) => kind === "command");
}
