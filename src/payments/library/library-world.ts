import { setMaxListeners } from "node:events";
import type { App } from "../../app.ts";
import { hasTestCoins } from "../../chain/network.ts";
import type { ChainNode } from "../../chain/node/node.ts";
import { createClient } from "../../client/client.ts";
import type { ClientContext } from "../../client/client-context.ts";
import type { Files } from "../../config/files/files.ts";
import { formatAmount } from "../../contract/amount.ts";
import { RelayctlError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { balanceOf } from "../../limits/read-balance.ts";
import { settledOutcome } from "../../recovery/recall.ts";
import { journaledWrites } from "../../session/journaling/write-log.ts";
import { commandLine, historyCommand } from "../../shell/shell-words.ts";
import { COIN_TIMEOUT } from "../../timing.ts";
import { payerWarnings } from "../file/relayer-problems.ts";
import type { PaymentFile } from "../payment.ts";
import { partOf } from "../run/due.ts";
import { BEGIN } from "../run/ledger.ts";
import type { PaymentWorld } from "../run/payment-world.ts";
import type { AskedPayments } from "../run/plan.ts";
import { AS_MEMBERS } from "../spelling.ts";
import type { SendManyOptions } from "./options.ts";

export interface SendManyNeeds {
  clientContext: ClientContext;
  origin: string;
  nodeAt(url: string): ChainNode;
  env: App["env"];
  whoRuns: App["whoRuns"];
  files: Pick<Files, "read">;
  openJournal(folder: string): Promise<Journal>;
}

export interface LibraryRun {
  relayerId: string;
  options: SendManyOptions;
  file: PaymentFile;
  path: string;
  journal: Journal;
  /** Aborted when no further payment is to be started. */
  interrupt: AbortSignal;
  noted: PaymentWorld["noted"];
}

export function libraryWorld(needs: SendManyNeeds, run: LibraryRun): PaymentWorld {
  const { origin, nodeAt } = needs;
  const { relayerId, options, path, journal, interrupt, noted } = run;
  const clientContext = { ...needs.clientContext, interrupt };
  const { clock, random, abandon, report } = clientContext;
  const say = async (line: string) => report({ type: "note", text: line.replace(/^note: /, "") });
  const writes = journaledWrites(
    {
      app: { clock, env: needs.env, whoRuns: needs.whoRuns },
      context: undefined,
      program: "client.tx.sendMany",
      argv: [relayerId, path || "payments"],
      server: origin,
      reason: options.reason,
      say,
    },
    { place: { folder: options.state }, requiredBy: "sendMany" },
    async () => journal,
  );
  const briefly = (limit: number) => createClient({ ...clientContext, retries: 0, remaining: () => limit });
  // Each pending request listens to the signals.
  setMaxListeners(0, interrupt, abandon);
  return {
    ...{ clock, random, interrupt, journal, briefly, say, spelling: AS_MEMBERS },
    client: createClient(clientContext),
    balance: () => balanceOf({ app: { interrupt }, say, session: async () => ({ briefly }) }, relayerId),
    count: () => {},
    commandFor: (...words) => commandLine("--server", origin, ...words),
    historyCommand: (...words) => historyCommand(options.state, [], ["history", ...words]),
    requireComplete: async (each) => {
      await each.requireComplete().catch((error: unknown) => {
        throw error instanceof RelayctlError
          ? error.with({
              because: ["nothing was sent"],
              hint: historyCommand(options.state, [], ["history", "verify"]),
            })
          : error;
      });
    },
    inBulk: (bounds) => createClient({ ...clientContext, inBulk: true, log: writes.bulkLog, ...bounds }),
    ownNode: async () =>
      typeof options.wait === "object" && options.wait.node ? nodeAt(options.wait.node) : undefined,
    agree: async (asked) => {
      const { relayer } = asked.payer;
      const isTest = () => hasTestCoins(briefly(COIN_TIMEOUT).networks, relayer.network);
      for (const warning of await payerWarnings(partOf(asked), relayer, isTest)) await say(`warning: ${warning}`);
      requireSum(asked, options.confirm);
    },
    begin: (payments, resumed) =>
      writes.beginPayments({ operation: BEGIN, parameters: { relayer_id: relayerId } }, payments, resumed),
    recorded: writes.recorded,
    foundOutcome: settledOutcome,
    ...(noted && { noted }),
  };
}

function requireSum({ file, sum, payer }: AskedPayments, confirm: bigint): void {
  if (confirm === sum || confirm === file.total) return;
  throw new RelayctlError("declined", "confirm is not the sum of the payments", {
    because: [`the sum is ${sum} ${payer.coin.base}, which is ${formatAmount(sum, payer.coin)}`, "nothing was sent"],
  });
}
