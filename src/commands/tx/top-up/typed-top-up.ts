import { type NamedCoin, namedCoinAmount } from "../../../coins/named-coins.ts";
import { readTargetIds, validateId } from "../../../command-support/ids.ts";
import { isDryRun } from "../../../command-support/shown.ts";
import { WEI } from "../../../contract/amount.ts";
import type { Problems } from "../../../contract/problems.ts";
import type { Payer } from "../../../payments/run/running.ts";
import type { TypedTargets } from "../../../payments/top-up/top-up.ts";
import { labeledAddress } from "../../../session/labels.ts";
import type { Session } from "../../../session/session.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import { relayerView } from "../../../views/relayer.ts";
import { topUpView } from "../../../views/top-up.ts";
import { type Call, refuseRaw } from "../../command.ts";
import { nodeFlag } from "../node-flag.ts";
import { type TopUpFlags, USUAL_SPEED } from "./flags.ts";

/** Amounts are in wei. */
export type TypedTopUp = Awaited<ReturnType<typeof typedTopUp>>;

export interface TopUpCall {
  call: Call<TopUpFlags>;
  session: Session;
  typed: TypedTopUp;
  payer: Payer;
}

export async function typedTopUp(call: Call<TopUpFlags>, problems: Problems) {
  const { flags, output, app, common } = call;
  const { from = "", toBalance, below, maxTotal, state, speed = USUAL_SPEED, node } = flags;
  if (flags.from === undefined) problems.add("--from", "is required: the relayer that pays");
  else validateId(problems, "--from", from);
  if (toBalance === undefined) problems.add("--to-balance", "is required: the amount to fill balances up to");
  refuseRaw(call, problems, "this sends several");
  if (state === "") problems.add("--state", "is empty");
  const consent = common.confirm === undefined ? common.yes && "--yes" : "--confirm";
  if (consent && maxTotal === undefined && !isDryRun(call))
    problems.add(consent, "requires --max-total, the most that may be sent without a question");
  const coins: NamedCoin[] = [];
  const amountOf = (flag: string, text: string | undefined) => {
    const typed = namedCoinAmount(problems, flag, text, WEI);
    if (typed?.amount === 0n) problems.add(flag, "must be above 0", text);
    if (typed?.coin !== undefined && text !== undefined) coins.push({ flag, text, coin: typed.coin });
    return typed?.amount;
  };
  const to = amountOf("--to-balance", toBalance);
  const least = amountOf("--below", below);
  if (to !== undefined && least !== undefined && least > to) problems.add("--below", "is above --to-balance", below);
  const most = amountOf("--max-total", maxTotal);
  await problems.gather(() => readSelection({ ...output, where: [] }, topUpView));
  return {
    relayerId: from,
    levels: { to: to ?? 0n, below: least ?? (to ?? 0n) / 2n },
    maxTotal: most,
    coins,
    targets: await typedTargets(call, problems),
    speed,
    nodeUrl: nodeFlag({ app, common }, problems, node),
  };
}

async function typedTargets(call: Call<TopUpFlags>, problems: Problems): Promise<TypedTargets> {
  const { args, app, output } = call;
  const typed = args.filter((each) => !each.startsWith("@"));
  const ids = await readTargetIds({ app, args: typed }, problems, "relayers");
  const labels = [];
  for (const name of args.filter((each) => each.startsWith("@"))) {
    const address = await labeledAddress(app, problems, { where: "<relayers>", kind: "evm" }, name);
    labels.push({ name, address: address.toLowerCase() });
  }
  const { where } = output;
  if (ids && where) problems.add("--where", "cannot be combined with relayer IDs");
  const conditions =
    where && (await problems.gather(() => readSelection({ where, now: app.clock.now() }, relayerView)));
  const isAll = !where && labels.length === 0;
  return {
    ids,
    labels,
    isChosen: where || isAll ? (relayer) => (conditions?.where ?? []).every((isMet) => isMet(relayer)) : undefined,
  };
}
