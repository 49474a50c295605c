import { historyCommand, lostLines } from "../../../command-support/journaling/lost-lines.ts";
import { settledOutcome } from "../../../command-support/journaling/settled-outcome.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { noteRun } from "../../../payments/run/known-runs.ts";
import { BEGIN } from "../../../payments/run/ledger.ts";
import type { PaymentWorld, ReadingWorld } from "../../../payments/run/payment-world.ts";
import { AS_FLAGS } from "../../../payments/spelling.ts";
import { symbolFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { abiSource } from "../call/abi-source.ts";
import { balanceOf } from "../funds/funds.ts";
import { consentToPay } from "./consent.ts";
import type { PaymentFlags } from "./flags.ts";
import type { PayerSource } from "./read-payer.ts";
import type { TypedRun } from "./typed-run.ts";

/** Returns what the relayer of a call is read with. */
export function payerSource(call: Call, { client, flags }: Session): PayerSource {
  return { client, flags, symbolOf: (relayer) => symbolFor(call, relayer) };
}

/** Returns what reading for payments needs, from a call. */
export function readingWorld(call: Call, session: Session, { relayerId }: TypedRun): ReadingWorld {
  const { app, say, count } = call;
  return {
    clock: app.clock,
    interrupt: app.interrupt,
    client: session.client,
    balance: () => balanceOf(call, relayerId),
    say,
    count,
    commandFor: (...words) => commandLine(...session.flags, ...words),
  };
}

export function commandWorld(
  call: Call<PaymentFlags>,
  session: Session,
  typed: TypedRun,
  { journal, usualJournal }: Pick<PaymentWorld, "journal" | "usualJournal">,
): PaymentWorld {
  const { relayerId, wait } = typed;
  const { remaining, inBulk, briefly, recorded } = session;
  const lost: string[] = [];
  return {
    ...readingWorld(call, session, typed),
    random: call.app.random,
    journal,
    usualJournal,
    spelling: AS_FLAGS,
    historyCommand: (...words) => historyCommand(call.flags.state, [], ["history", ...words]),
    async requireComplete(each) {
      lost.push(...(await lostLines(call, each, each === usualJournal)));
    },
    ...(remaining && { remaining }),
    inBulk,
    briefly,
    ownNode: (network) => session.ownNode(network, { url: wait?.nodeUrl }),
    abis: abiSource(call),
    agree: (asked) => consentToPay(call, session, asked, lost),
    async begin(payments, resumed) {
      const request = { operation: BEGIN, parameters: { relayer_id: relayerId } };
      const run = await session.beginPayments(request, payments, resumed);
      await noteRun({ journal, usualJournal, say: call.say }, { run, sha256: payments.sha256 });
      return run;
    },
    recorded,
    foundOutcome: settledOutcome,
  };
}
