import type { Client } from "../../../client/client.ts";
import type { ApiResult } from "../../../client/request.ts";
import { coinFor, rememberedCoinSymbol } from "../../../coins/coin-symbol.ts";
import { validateCoins } from "../../../coins/named-coins.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { Problems } from "../../../contract/problems.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { rescue } from "../../../errors.ts";
import { stateDisabledReasons } from "../../../relayer-state/state.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { View } from "../../../terminal/view.ts";
import { relayerView } from "../../../views/relayer.ts";
import type { Call } from "../../command.ts";
import { sendCreation } from "../../send-creation.ts";
import { drawnRelayer } from "../change/drawn-relayer.ts";
import { policyCoinsIn } from "../change/policy-coins.ts";
import { typedPolicies } from "../change/typed-policies.ts";
import type { CreateFlags } from "./flags.ts";

export async function createRelayer(call: Call<CreateFlags>, body: JsonObject): Promise<View> {
  await refuseOtherCoin(call, body);
  const { custom_rpc_urls: urls } = body;
  const count = Array.isArray(urls) ? urls.length : 0;
  return await sendCreation<Relayer>(call, {
    noun: "relayer",
    resource: relayerView,
    body,
    create: (client) => createAndReadBack(client, body),
    drawn: (created) => drawnRelayer(call, created, rememberedCoinSymbol),
    more: disabledAtOnce,
    ...(count > 0 && {
      outlook: async (created, session) =>
        (await import("../../../relayer-state/check-node.ts")).checkRelayerNode(call.app, session, created, count),
    }),
  });
}

async function refuseOtherCoin(call: Call<CreateFlags>, { network, network_type: kind }: JsonObject): Promise<void> {
  const coins =
    kind === "evm" ? policyCoinsIn(typedPolicies(call.flags, { body: undefined, own: undefined }, new Problems())) : [];
  if (coins.length === 0) return;
  const problems = new Problems();
  validateCoins(problems, coins, await coinFor(await call.session(), { network, network_type: kind }));
  problems.throwIfAny("relayctl relayers create --help");
}

/** Creates a relayer and reads it again: the response precedes its first check, and shows no problem (facts 3.1). */
async function createAndReadBack(client: Client, body: JsonObject): Promise<ApiResult<Relayer>> {
  const created = await client.relayers.create(body);
  if (created.lost !== undefined) return created;
  const read = await rescue(client.relayers.get(created.data.id, { byRoute: true }), () => created);
  return { ...created, data: read.data };
}

function disabledAtOnce({ id, system_disabled, disabled_reason }: Relayer, { flags }: Session) {
  if (!system_disabled) return {};
  const why = stateDisabledReasons(disabled_reason ?? null).join("; ") || "no reason given";
  const warning = `the service disabled the relayer at once: ${why}; ${commandLine(...flags, "relayers", "status", id)}`;
  return { warning: { warning } };
}
