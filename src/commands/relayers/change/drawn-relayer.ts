import type { symbolFor } from "../../../coins/symbol-for.ts";
import { isPositive } from "../../../contract/amount.ts";
import { isJsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { ResourceView } from "../../../terminal/view.ts";
import { relayerView, relayerViewIn } from "../../../views/relayer.ts";
import { drawsAmounts } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";

export async function drawnRelayer(
  call: Call,
  relayer: Relayer,
  find: typeof symbolFor,
): Promise<ResourceView<Relayer>> {
  const { policies } = relayer;
  const hasBalance = isJsonObject(policies) && isPositive(policies.min_balance);
  return hasBalance && drawsAmounts(call) ? relayerViewIn(await find(call, relayer)) : relayerView;
}
