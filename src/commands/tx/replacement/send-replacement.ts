import type { ApiResult } from "../../../client/api-result.ts";
import type { Client } from "../../../client/client.ts";
import { spelledFor } from "../../../client/respell.ts";
import { refuseUnaskedWrite } from "../../../command-support/consent/write-consent.ts";
import { perform } from "../../../command-support/perform.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { type DiffFlag, isShown, reachOf } from "../../../command-support/shown.ts";
import { isShownInCoin } from "../../../contract/amount.ts";
import { priceWarnings } from "../../../contract/effect.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import { operations } from "../../../contract/operations.ts";
import type { Replacement } from "../../../contract/transaction/replacement.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { View } from "../../../terminal/view.ts";
import { symbolFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import type { TypedBody } from "../body/body-flags.ts";
import { earlierVersion, earlierVersionNow, hashMayChange } from "../effects/replacement.ts";
import { hashesText, namingHash } from "../record/hashes.ts";
import { transactionView, transactionViewIn } from "../record/view.ts";
import { refuseOtherCoin, refuseStrangeCoin } from "../relayer-check.ts";
import { validateForService } from "../service-refusals.ts";
import { inheritedBody, notReadable } from "./inherit.ts";
import { preflight, type Replaced, refuseOtherKind } from "./replace-preflight.ts";
import { replacementPreview } from "./replace-preview.ts";
import { lookAt, transactionBefore } from "./transaction-before.ts";

const ACT = "replacing a transaction";

/** A replacement that was judged. */
export interface Replacing {
  relayerId: string;
  /** Of the transaction. */
  id: string;
  kind: NetworkKind | undefined;
  typed: TypedBody;
  /** Whether what is not named is copied from the transaction. */
  inherits: boolean;
}

export async function sendReplacement(call: Call<DiffFlag>, replacing: Replacing): Promise<View> {
  const { body, coins } = replacing.typed;
  await refuseStrangeCoin(call, { ...replacing, coins });
  if (replacing.inherits) return await sendInheriting(call, replacing);
  return await sendBody(call, replacing, body, async () => {
    const before = await readBefore(call, replacing);
    return { before, symbol: await validateRead(call, { ...replacing, ...replacing.typed }, before) };
  });
}

/** The transaction is read first, for its members are sent; a request that is only shown tells what it was made of. */
async function sendInheriting(call: Call<DiffFlag>, replacing: Replacing): Promise<View> {
  const { id, typed } = replacing;
  await refuseUnaskedWrite(call, { request: requestFor(replacing, typed.body), act: ACT, id });
  const before = await readBefore(call, replacing);
  if (!before) throw notReadable(id);
  const body = inheritedBody(typed, before.data, call.app.clock.now(), await lookAt(call, replacing));
  const symbol = await validateRead(call, { ...replacing, ...typed, body }, before);
  const shown = isShown(call) ? { ...call, flags: { ...call.flags, diff: true as const } } : call;
  return await sendBody(shown, replacing, body, async () => ({ before, symbol }));
}

/**
 * In the service's order: first the relayer's state, pause above all, then the body (facts 5.4).
 * @returns the symbol of its network's coin, if known
 */
async function validateRead(
  call: Call,
  replaced: Replaced,
  before: ApiResult<Transaction> | undefined,
): Promise<string | undefined> {
  const relayer = before && (await preflight(call, replaced, before));
  if (relayer) await refuseOtherCoin(call, relayer, replaced);
  await validateForService(call, replaced, before?.data);
  const hasCoin = [replaced.body.value, before?.data.value].some(isShownInCoin);
  if (relayer) return hasCoin ? await symbolFor(call, relayer) : undefined;
  const [named] = replaced.coins;
  if (named)
    await call.say(`note: the network of ${replaced.relayerId} could not be read: ${named.text} is taken as its coin`);
  return undefined;
}

async function readBefore(call: Call, { relayerId, id, kind = "evm" }: Replacing) {
  const before = await transactionBefore(call, { relayerId, id, verb: "replace" });
  if (before) refuseOtherKind(before.data, kind, await lookAt(call, { relayerId, id }));
  return before;
}

function requestFor({ relayerId, id }: Replacing, body: JsonObject) {
  return { operation: operations["tx.replace"], parameters: { relayer_id: relayerId, transaction_id: id }, body };
}

async function sendBody(
  call: Call<DiffFlag>,
  replacing: Replacing,
  body: JsonObject,
  read: () => Promise<{ before: ApiResult<Transaction> | undefined; symbol: string | undefined }>,
): Promise<View> {
  const { relayerId, id } = replacing;
  let symbol: string | undefined;
  if (reachOf(call) === "nothing") await validateForService(call, { ...replacing, ...replacing.typed, body });
  const look = (session: Session) => commandLine(...session.flags, "tx", "get", relayerId, id);
  const request = requestFor(replacing, body);
  const send = (client: Client, earlier: Transaction | undefined) =>
    client.tx.replace(relayerId, id, spelledFor(request, earlier).body as unknown as Replacement, { before: earlier });
  return await perform<Transaction>(call, {
    request,
    title: `replace transaction ${id} of ${relayerId}`,
    act: ACT,
    id,
    resource: transactionView,
    before: async () => {
      const known = await read();
      symbol = known.symbol;
      return known.before;
    },
    preview: (earlier) => replacementPreview(body, earlier, symbol),
    drawn: async () => transactionViewIn(() => symbol),
    effects: (earlier) => earlier && [...earlierVersion(earlier), ...priceWarnings(body)],
    send: (client, earlier) => namingHash(send(client, earlier), earlier),
    receipt: (after, earlier, session) => ({
      applied: `replacement accepted in ${session.name}, not final yet; ${hashesText(earlier, after, "the replacement")}`,
      details: [...earlierVersionNow(after, earlier), ...priceWarnings(body)],
      effects: hashMayChange(after, earlier),
      next: `follow: ${look(session)}`,
    }),
    readAgain: look,
  });
}
