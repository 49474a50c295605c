import { isShownInCoin } from "../../../contract/amount.ts";
import { isJsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { ResourceView } from "../../../terminal/view.ts";
import { drawsAmounts, type symbolFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { relayerView, relayerViewIn } from "../view.ts";

/** The view of one relayer, with the coin of its network where a balance is drawn. @param find how the coin is found out */
export async function drawnRelayer(
  call: Call,
  relayer: Relayer,
  find: typeof symbolFor,
): Promise<ResourceView<Relayer>> {
  const { policies } = relayer;
  const hasBalance = isJsonObject(policies) && isShownInCoin(policies.min_balance);
  return hasBalance && drawsAmounts(call) ? relayerViewIn(await find(call, relayer)) : relayerView;
}
