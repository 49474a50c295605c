import type { Command } from "commander";
import { NETWORK_KINDS } from "../../contract/network-kind.ts";
import type { Call } from "../../flow/call.ts";
import { personPresent } from "../../flow/person.ts";
import type { Problems } from "../../flow/problems.ts";
import { commandLine } from "../../flow/shell-words.ts";
import { targetFlags } from "../../flow/target-flags.ts";
import type { View } from "../../terminal/view.ts";
import { defineBulkFlags } from "../bulk/flags.ts";
import { choosesFromAll, isMany, onlyTarget, type Targets, targetsOf } from "../bulk/targets.ts";
import { choiceOption } from "../choice-option.ts";
import type { CommandFile } from "../command.ts";
import { DIFF } from "../diff-flag.ts";
import { repeatable } from "../repeatable.ts";
import { changeOne } from "./change-one.ts";
import { judgeMerged } from "./edit/judge-merged.ts";
import { relayersOperand } from "./operand.ts";
import { coinsIn, setsCap } from "./policy-coins.ts";
import { policyPatch } from "./policy-patch.ts";
import { type TypedUpdate, type UpdateFlags, updateFromFlags } from "./update-flags.ts";
import { bodyOf, policyPlace, updateOne } from "./update-one.ts";
import { relayerView } from "./view.ts";

type Typed = TypedUpdate & Targets;

/** `relayctl relayers update <id>`: interface.md, Update a relayer. */
export const relayersUpdate: CommandFile<UpdateFlags, Typed> = {
  summary: "change a relayer's name, pause, notification, RPC URLs and policies",
  sends: "patch",
  ends: { conflict: "disabled", partial: "some failed" },
  examples: [
    "relayctl relayers update eth-main-1 --paused",
    "relayctl relayers update eth-main-1 --policy gas_price_cap=80gwei --unset-policy min_balance",
    "relayctl relayers update eth-main-1 --no-notification-id --dry-run",
  ],
  resource: relayerView,
  operands: [relayersOperand],
  walks: isMany,
  readsFirst: choosesFromAll,
  define,
  judgeFlags,
  prepare,
  run,
};

function define(command: Command): void {
  command
    .description(
      "Change a relayer: its name, pause, notification, RPC URLs and policies. What is not named stays as it is.",
    )
    .optionsGroup("Fields")
    .option("--name <text>", "the name")
    .option("--no-name", "sends null (refused by the service: a name is needed)")
    .option("--paused", "pause it")
    .option("--no-paused", "resume it")
    .option("--notification-id <id>", "where it reports to")
    .option("--no-notification-id", "clears it")
    .option("--rpc-url <url>", "repeat; replaces the list; URL,weight=80 weighs it from 0 to 100", repeatable)
    .option("--no-rpc-urls", "clears the list")
    .optionsGroup("Policies")
    .option("--policy <key=value>", "repeat; gas_price_cap=80gwei; keys and units: relayctl help policies", repeatable)
    .option("--unset-policy <key>", "repeat; clears one", repeatable)
    .option("--policies <file>", "several at once, as JSON; - reads stdin")
    .option("--reset-policies", "clear all of them (asks for the id)")
    .addOption(choiceOption("--kind <kind>", "spares the read that finds it out", NETWORK_KINDS));
  defineBulkFlags(command)
    .optionsGroup("Request")
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin")
    .option(...DIFF);
}

async function prepare(call: Call<UpdateFlags>, problems: Problems): Promise<Typed> {
  const targets = await targetsOf(call, problems);
  const typed = await updateFromFlags(call, problems);
  const { body, policies } = typed;
  // Policies wait for the relayer's kind; beside another problem they are told at once, as far as they can be judged.
  if (problems.found.length > 0) {
    if (policies) policyPatch(problems, policies, typed.kind);
  } else if (Object.keys(body).length === 0 && namesNothing(policies)) {
    refuseNothing(call, problems, onlyTarget(targets) ?? "ID");
  }
  return { ...typed, ...targets };
}

/** Flags that say how to send, and nothing of what to change. */
const NO_FIELDS = ["kind", "diff", "concurrency", "rate", "undoFile"];

function judgeFlags(call: Call<UpdateFlags>, problems: Problems): void {
  const { rpcUrls, ...others } = call.flags;
  const named = Object.keys(others).filter((flag) => !NO_FIELDS.includes(flag));
  if (rpcUrls !== false && named.length === 0) refuseNothing(call, problems);
}

function refuseNothing({ app, common }: Call, problems: Problems, id?: string): void {
  problems.add("relayers update", "there is nothing to change; name a field");
  if (personPresent(app, common))
    problems.hint = commandLine(...targetFlags(common), "relayers", "edit", ...(id === undefined ? [] : [id]));
}

function namesNothing(policies: TypedUpdate["policies"]): boolean {
  if (!policies) return policies === undefined;
  return policies.set.length + policies.unset.length + Object.keys(policies.members).length === 0;
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
    judge: (problems, body, before) => {
      const placeOf = (path: string) => `${policyPlace(call, typed, path, path)} of ${before.id}`;
      if (typed.policies !== undefined) judgeMerged(problems, body, before, placeOf);
    },
  });
}
