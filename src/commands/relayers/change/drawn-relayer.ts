import type { symbolFor } from "../../../coins/coin-symbol.ts";
import { isPositive } from "../../../contract/amount.ts";
import { relayerPolicies } from "../../../contract/policy.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { ResourceView } from "../../../terminal/view.ts";
import { relayerView, relayerViewIn } from "../../../views/relayer.ts";
import { drawsSymbol } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";

export async function drawnRelayer(
  call: Call,
  relayer: Relayer,
  find: typeof symbolFor,
): Promise<ResourceView<Relayer>> {
  const hasBalance = isPositive(relayerPolicies(relayer).min_balance);
  return hasBalance && drawsSymbol(call) ? relayerViewIn(await find(await call.session(), relayer)) : relayerView;
}
