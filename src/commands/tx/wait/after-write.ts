import type { Target } from "../../../chain/follow/followed.ts";
import { needsChain } from "../../../chain/follow/goal.ts";
import { hasFinalBlock } from "../../../chain/follow/relayer-chain.ts";
import { openChain } from "../../../chain/open-chain.ts";
import { versionOf } from "../../../chain/verdict/version.ts";
import { sayReceipt } from "../../../command-support/printing.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError, usageError } from "../../../errors.ts";
import type { Ending, ListView, OneView, View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import type { WaitPlan } from "./flags.ts";
import { formOf } from "./reporters.ts";

export interface Written {
  relayerId: string;
  plan: WaitPlan;
  before: Transaction | undefined;
  /** What counts: the version that was written, its cancellation, or what the newest record shows. */
  wanted: "version" | "cancellation" | "newest";
  /** What has the version that was written: a record may already show another one. */
  requested?: JsonObject | undefined;
}

export async function followWrite(call: Call, view: View, written: Written): Promise<View> {
  if (view.kind !== "one") return view;
  const { endingView, waitFor } = await import("./wait-for.ts");
  const { receipt, next, ...shown } = view;
  const wrote = receipt !== undefined;
  await sayReceipt(call.say, receipt);
  const ended = await waitFor(call, { targets: [buildTarget(shown, written)], plan: written.plan, wrote });
  const { standings, failure } = ended;
  if (formOf(call) !== "lines") return await endingView(call, ended);
  const record = standings[0]?.record ?? shown.value;
  // An empty receipt keeps an output that fails from hiding that the write was applied.
  return { ...shown, value: record, ...(wrote && { receipt: [] }), ...(failure && { failure }) };
}

function buildTarget({ value }: OneView, { relayerId, before, wanted, requested = {} }: Written): Target {
  const after = value as Transaction;
  const records = before && before.id === after.id ? [before, after] : [after];
  if (wanted === "newest") return { relayerId, id: after.id, records };
  const version = versionOf(requested) ?? versionOf(after);
  return { relayerId, id: after.id, records, wanted: wanted === "cancellation" ? wanted : version };
}

export async function followMany(
  call: Call,
  view: ListView,
  { targets, plan }: { targets: readonly Target[]; plan: WaitPlan },
): Promise<ListView> {
  if (targets.length === 0) return view;
  const ending = (await view.ending?.()) ?? {};
  const { receipt = [], failure: refused } = ending;
  // Otherwise the wait ends with the signal, and says where each transaction stands.
  if (call.app.interrupt.aborted && refused) return { ...view, ending: async () => ending };
  const { endingView, waitFor } = await import("./wait-for.ts");
  await sayReceipt(call.say, receipt);
  const ended = await waitFor(call, { targets, plan, wrote: true });
  const failure = worse(ended.failure, refused);
  const shown = await endingView(call, ended);
  if (formOf(call) !== "lines") return { ...shown, ending: async () => buildEnding(failure) };
  const items = ended.standings.flatMap(({ record }) => (record ? [record] : []));
  const pages = (async function* () {
    yield { items, total: items.length, body: new Uint8Array() };
  })();
  return { ...view, pages, ending: async () => buildEnding(failure) };
}

/** An empty receipt keeps an output that fails from hiding that something was applied. */
function buildEnding(failure: RelayctlError | undefined): Ending {
  return { receipt: [], ...(failure && { failure }) };
}

function worse(waited: RelayctlError | undefined, refused: RelayctlError | undefined): RelayctlError | undefined {
  if (!refused || waited?.failure === "mismatch" || waited?.failure === "unmet") return waited;
  const { message, details, because, hint } = refused;
  return new RelayctlError("unmet", message, {
    applied: "yes",
    retryable: false,
    details,
    because,
    ...(hint !== undefined && { hint }),
    cause: refused,
  });
}

/** Throws if what a wait asks for cannot be reached, before anything is sent. @throws RelayctlError usage */
export async function requireReachable(call: Call, relayerId: string, { goal, nodeUrl: url }: WaitPlan): Promise<void> {
  if (!needsChain(goal) && url === undefined) return;
  const session = await call.session();
  const ownNode = (network: string | undefined) => session.ownNode(network, { url });
  const chain = await openChain({ client: session.client, relayerId, ownNode });
  const kind = chain.relayer?.network_type;
  const where = goal.until === "final" ? "--for" : needsChain(goal) ? "--confirmations" : "--node";
  if (kind !== undefined && kind !== "evm")
    throw usageError([{ where, rule: `${relayerId} is not an EVM relayer: only its records count` }]);
  if (goal.until === "final") await hasFinalBlock(chain, call.app.clock.now());
}
