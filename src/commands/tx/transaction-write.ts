import type { ApiResult } from "../../client/request.ts";
import { type PlannedWrite, type PreparedWrite, runWrite } from "../../command-support/prepared-write.ts";
import { type DiffFlag, isDryRun } from "../../command-support/shown.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { operations } from "../../contract/operations.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import type { Transaction, TransactionState } from "../../contract/transaction/transaction.ts";
import type { Message } from "../../message.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import { transactionView, transactionViewIn } from "../../views/transaction/record.ts";
import type { Call } from "../command.ts";
import type { Followable } from "./replacement/show-broadcast.ts";
import type { WaitPlan } from "./wait/flags.ts";
import type { Written } from "./wait/wait-for.ts";

export interface TxTarget {
  relayerId: string;
  id: string;
}

export interface Earlier extends ApiResult<Transaction> {
  state: TransactionState;
  relayer: Relayer | undefined;
  kind: NetworkKind;
}

interface TransactionWrite<T extends Transaction> {
  verb: "send" | "replace" | "cancel";
  relayerId: string;
  /** Absent for a new transaction. */
  id?: string;
  body?: JsonObject;
  /** Set if the body depends on reading the transaction. */
  readsFirst?: boolean;
  /** Absent if the response is enough. */
  wait?: WaitPlan | undefined;
  guarded?: ((send: () => Promise<View>) => Promise<View>) | undefined;
  prepare(surroundings: WriteContext): Promise<PreparedTransaction<T>>;
}

export interface WriteContext {
  session: Session;
  readCommand: string;
}

type Inherited = "title" | "already" | "effects" | "exceeded" | "warnings" | "send" | "receipt";

export interface PreparedTransaction<T extends Transaction> extends Pick<PreparedWrite<T>, Inherited> {
  body?: JsonObject;
  before: ApiResult<T> | undefined;
  symbol: string | undefined;
  preview: readonly Message[];
  /** Set if its broadcast is followed for some seconds, unless the command waits for more. */
  followable?: Followable | undefined;
}

const ACTS = { send: "sending", replace: "replacing", cancel: "canceling" };

/** A performed write, and what follows it: a wait, or some seconds until it is broadcast. */
interface Performed {
  view: View;
  written?: Written;
  followable?: Followable | undefined;
}

/** @returns what `followWrite` then shows */
export async function performTransaction<T extends Transaction>(
  call: Call<DiffFlag>,
  { verb, relayerId, id, body, readsFirst = false, wait, guarded, prepare }: TransactionWrite<T>,
): Promise<Performed> {
  const plan = isDryRun(call) ? undefined : wait;
  let earlier: Transaction | undefined;
  let followable: Followable | undefined;
  const buildRequest = (sent: JsonObject | undefined) => ({
    operation: operations[`tx.${verb}`],
    parameters: { relayer_id: relayerId, ...(id !== undefined && { transaction_id: id }) },
    ...(sent !== undefined && { body: sent }),
  });
  const planned: PlannedWrite<T> = {
    request: buildRequest(body),
    title: id === undefined ? `${verb} a transaction from ${relayerId}` : `${verb} transaction ${id} of ${relayerId}`,
    act: `${ACTS[verb]} a transaction`,
    id: id ?? relayerId,
    resource: transactionView,
    readsFirst,
    prepare: async (session) => {
      const last = id === undefined ? ["list", relayerId] : ["get", relayerId, id];
      const readAgain = commandLine(...session.flags, "tx", ...last);
      const prepared = await prepare({ session, readCommand: readAgain });
      if (plan) await (await import("./wait/wait-for.ts")).requireWaitable(session, relayerId, plan);
      earlier = id === undefined ? undefined : prepared.before?.data;
      followable = prepared.followable;
      return {
        ...prepared,
        request: buildRequest(prepared.body),
        preview: () => prepared.preview,
        drawn: async () => transactionViewIn(() => prepared.symbol),
        readAgain,
      };
    },
  };
  const send = () => runWrite(call, planned);
  const view = await (guarded ? guarded(send) : send());
  if (!plan) return { view, followable };
  const wanted = verb === "cancel" ? "cancellation" : "version";
  const requested = verb === "send" ? body : undefined;
  return { view, written: { relayerId, plan, before: earlier, wanted, requested } };
}

export async function followWrite(call: Call, { view, written, followable }: Performed): Promise<View> {
  if (written) return await (await import("./wait/wait-for.ts")).waitForWrite(call, view, written);
  if (!followable) return view;
  const { showBroadcast } = await import("./replacement/show-broadcast.ts");
  return await showBroadcast(await call.session(), view, followable);
}
