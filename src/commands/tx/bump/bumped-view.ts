import type { Target } from "../../../chain/follow/followed.ts";
import { versionOf } from "../../../chain/verdict/version.ts";
import { isShownInCoin } from "../../../contract/amount.ts";
import { nextWords } from "../../../session/receipt-words.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { OneView } from "../../../terminal/view.ts";
import { transactionViewIn } from "../../../views/transaction/record.ts";
import { drawnSymbol } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";
import type { Bumped } from "./bump-now.ts";

/** Returns the view of the newest record. @param isFollowed whether a wait decides how the command ends */
export async function oneView(call: Call, bumped: Bumped, isFollowed: boolean): Promise<OneView> {
  const { flags } = await call.session();
  const { bump, broadcast, body, failure } = bumped;
  const { record } = broadcast;
  const symbol = isShownInCoin(record.value) ? await drawnSymbol(call, bump.relayerId) : undefined;
  const shown: OneView = { kind: "one", resource: transactionViewIn(() => symbol), value: record, body, receipt: [] };
  if (isFollowed) return shown;
  const next = [nextWords.follow(commandLine(...flags, "tx", "wait", bump.relayerId, record.id))];
  return failure ? { ...shown, failure } : { ...shown, next };
}

/** Returns what to follow after a bump: the version that it sent, or the cancellation. */
export function targetOf({ bump, broadcast, data }: Bumped): Target {
  const { relayerId, record, request } = bump;
  const version = versionOf(data) ?? versionOf(record);
  const wanted = request.change === "cancel" ? "cancellation" : version;
  return { relayerId, id: record.id, records: [record, data, broadcast.record], wanted };
}
