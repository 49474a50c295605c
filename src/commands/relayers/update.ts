import type { Call } from "../../command-support/call.ts";
import { targetFlags } from "../../command-support/common-flags.ts";
import { canPrompt } from "../../command-support/prompting/prompts.ts";
import type { Problems } from "../../contract/problems.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import { relayerView } from "../../views/relayer.ts";
import { choosesFromAll, isMany, onlyTarget, type Targets, targetsOf } from "../bulk/targets.ts";
import type { CommandFile } from "../command.ts";
import { relayersArgument } from "../relayer-arguments.ts";
import { changeOne } from "./change/change-one.ts";
import { coinsIn, setsCap } from "./change/policy-coins.ts";
import { policyPatch } from "./change/policy-patch.ts";
import { defineUpdateFlags, type TypedUpdate, type UpdateFlags, updateFromFlags } from "./change/update-flags.ts";
import { bodyOf, policySource, updateOne } from "./change/update-one.ts";
import { validateMerged } from "./edit/validate-merged.ts";

type Typed = TypedUpdate & Targets;

/** `relayctl relayers update <id>` (interface 4.2). */
export const relayersUpdate: CommandFile<UpdateFlags, Typed> = {
  summary: "Update a relayer's name, paused state, notification, RPC URLs, and policies",
  sends: "patch",
  ends: { conflict: "disabled", partial: "some failed" },
  examples: [
    "relayctl relayers update eth-main-1 --paused",
    "relayctl relayers update eth-main-1 --policy gas_price_cap=80gwei --unset-policy min_balance",
    "relayctl relayers update eth-main-1 --no-notification-id --dry-run",
  ],
  resource: relayerView,
  args: [relayersArgument],
  paginates: isMany,
  readsFirst: choosesFromAll,
  define: defineUpdateFlags,
  validateFlags,
  prepare,
  run,
};

async function prepare(call: Call<UpdateFlags>, problems: Problems): Promise<Typed> {
  const targets = await targetsOf(call, problems);
  const typed = await updateFromFlags(call, problems);
  const { body, policies } = typed;
  // Policies wait for the relayer's kind; if there is another problem, they are validated at once as far as possible.
  if (problems.found.length > 0) {
    if (policies) policyPatch(problems, policies, typed.kind);
  } else if (Object.keys(body).length === 0 && changesNothing(policies)) {
    refuseNothing(call, problems, onlyTarget(targets) ?? "ID");
  }
  return { ...typed, ...targets };
}

/** Flags that control sending, not the content of the change. */
const NO_FIELDS = ["networkType", "diff", "concurrency", "rate", "undoFile"];

function validateFlags(call: Call<UpdateFlags>, problems: Problems): void {
  const { rpcUrls, ...others } = call.flags;
  const named = Object.keys(others).filter((flag) => !NO_FIELDS.includes(flag));
  if (rpcUrls !== false && named.length === 0) refuseNothing(call, problems);
}

function refuseNothing({ app, common }: Call, problems: Problems, id?: string): void {
  problems.add("relayers update", "nothing to change; specify a field");
  if (canPrompt(app, common))
    problems.hint = commandLine(...targetFlags(common), "relayers", "edit", ...(id === undefined ? [] : [id]));
}

function changesNothing(policies: TypedUpdate["policies"]): boolean {
  if (!policies) return policies === undefined;
  return policies.set.length + policies.unset.length + Object.keys(policies.fields).length === 0;
}

async function run(call: Call<UpdateFlags>, typed: Typed): Promise<View> {
  const only = onlyTarget(typed);
  if (only !== undefined) return await changeOne(call, (undoFile) => updateOne(call, only, typed, undoFile));
  const { updateMany } = await import("./many/update-many.ts");
  return await updateMany(call, typed, {
    needsKind: typed.policies !== undefined && typed.kind === undefined,
    needsBefore: typed.policies ? setsCap(typed.policies) || coinsIn(typed.policies).length > 0 : false,
    coins: coinsIn(typed.policies),
    bodyFor: (kind, problems) => bodyOf(typed, kind, problems),
    validate: (problems, body, before) => {
      const getSource = (path: string) => `${policySource(call, typed, path, path)} of ${before.id}`;
      if (typed.policies !== undefined) validateMerged(problems, body, before, getSource);
    },
  });
}
