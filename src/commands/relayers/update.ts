import type { ApiResult } from "../../client/request.ts";
import type { Call } from "../../command-support/call.ts";
import { commonTargetFlags } from "../../command-support/common-flags.ts";
import { canPrompt } from "../../command-support/prompting/prompts.ts";
import { dryRunReach } from "../../command-support/shown.ts";
import type { JsonObject } from "../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../contract/network-kind.ts";
import { capIn } from "../../contract/policy/cap-change.ts";
import { Problems } from "../../contract/problems.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { relayerView } from "../../views/relayer.ts";
import { validateRelayerParts } from "../../views/relayer-parts.ts";
import { bulkChoosesFromAll, bulkTargets, isBulkCommand, onlyBulkTarget, type Targets } from "../bulk/flags.ts";
import type { CommandFile } from "../command.ts";
import { relayersArgument } from "../resource-arguments.ts";
import { policyCoinsIn, setsPolicyCap, validatePolicyCoins } from "./change/policy-coins.ts";
import { sendUpdate, updateOneRelayer } from "./change/send-update.ts";
import { typedPolicyPatch } from "./change/typed-policies.ts";
import { defineUpdateFlags, type TypedUpdate, type UpdateFlags, updateFromFlags } from "./change/update-flags.ts";
import type { UndoFile } from "./many/undo-file.ts";
import { relayerIfReadable } from "./relayer-if-readable.ts";

export const relayersUpdate: CommandFile<UpdateFlags, TypedUpdate & Targets> = {
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
  paginates: isBulkCommand,
  readsFirst: bulkChoosesFromAll,
  description:
    "Update relayers: name, paused state, notification, RPC URLs, and policies. Fields that you do not specify stay as they are. After a change of RPC URLs, one request through the relayer checks whether the new node responds, and on which chain.",
  define: defineUpdateFlags,
  validateFlags(call, problems) {
    const { rpcUrls, ...others } = call.flags;
    const named = Object.keys(others).filter((flag) => !NO_FIELDS.includes(flag));
    if (rpcUrls !== false && named.length === 0) refuseNothing(call, problems);
  },
  async prepare(call, problems) {
    const targets = await bulkTargets(call, problems);
    const typed = await updateFromFlags(call, problems);
    const { body, policies } = typed;
    // Policies wait for the relayer's kind; with another problem, they are validated as far as possible.
    if (problems.found.length > 0) {
      if (policies) typedPolicyPatch(problems, policies, typed.kind);
    } else if (Object.keys(body).length === 0 && changesNothing(policies)) {
      refuseNothing(call, problems, onlyBulkTarget(targets) ?? "ID");
    }
    return { ...typed, ...targets };
  },
  async run(call, typed) {
    const only = onlyBulkTarget(typed);
    if (only !== undefined) return await updateOneRelayer(call, (undoFile) => updateOne(call, only, typed, undoFile));
    const { updateMany } = await import("./many/update-many.ts");
    return await updateMany(call, typed, {
      needsKind: typed.policies !== undefined && typed.kind === undefined,
      needsBefore: typed.policies ? setsPolicyCap(typed.policies) || policyCoinsIn(typed.policies).length > 0 : false,
      coins: policyCoinsIn(typed.policies),
      bodyFor: (kind, problems) => bodyOf(typed, kind, problems),
      validate: (problems, body, before) => {
        const getSource = (path: string) => `${policySource(call, typed, path, path)} of ${before.id}`;
        if (typed.policies !== undefined) validateRelayerParts(problems, body, before, getSource);
      },
    });
  },
};

/** Flags that don't change the body. */
const NO_FIELDS = ["networkType", "diff", "concurrency", "rate", "undoFile"];

function refuseNothing({ app, common }: Call, problems: Problems, id?: string): void {
  problems.add("relayers update", "nothing to change; specify a field");
  if (canPrompt(app, common))
    problems.hint = commandLine(...commonTargetFlags(common), "relayers", "edit", ...(id === undefined ? [] : [id]));
}

function changesNothing(policies: TypedUpdate["policies"]): boolean {
  if (!policies) return policies === undefined;
  return policies.set.length + policies.unset.length + Object.keys(policies.fields).length === 0;
}

const HELP = "relayctl relayers update --help";

function bodyOf({ body, policies, kind }: TypedUpdate, found: NetworkKind | undefined, problems: Problems): JsonObject {
  if (policies === undefined) return body;
  return { ...body, policies: policies && typedPolicyPatch(problems, policies, kind ?? found) };
}

async function updateOne(call: Call<UpdateFlags>, id: string, typed: TypedUpdate, undoFile: UndoFile | undefined) {
  const before = await relayerBefore(call, id, typed);
  const found = before?.data.network_type;
  const problems = new Problems();
  const body = bodyOf(typed, isNetworkKind(found) ? found : undefined, problems);
  await validatePolicyCoins(call, problems, typed, before?.data);
  problems.throwIfAny(HELP);
  const validated = (relayer: ApiResult<Relayer> | undefined) => validatedWhole(call, { id, typed, body }, relayer);
  const isCompared = capIn(body) !== undefined && dryRunReach(call) !== "nothing";
  if (validated(before) || isCompared) return await sendUpdate(call, { id, body, read: async () => before }, undoFile);
  // A Stellar relayer requires policies; it is read after the consent check.
  const resets = typed.policies === null;
  const read = resets ? async () => validated(await relayerForKind(call, id)) : undefined;
  return await sendUpdate(call, { id, body, read }, undoFile);
}

function validatedWhole(
  call: Call<UpdateFlags>,
  { id, typed, body }: { id: string; typed: TypedUpdate; body: JsonObject },
  before: ApiResult<Relayer> | undefined,
): ApiResult<Relayer> | undefined {
  const problems = new Problems();
  if (before)
    validateRelayerParts(problems, body, before.data, (path) => policySource(call, typed, path, `${path} of ${id}`));
  problems.throwIfAny(HELP);
  return before;
}

function policySource({ flags }: Call<UpdateFlags>, { policies }: TypedUpdate, path: string, elsewhere: string) {
  if (!policies) return flags.resetPolicies ? "--reset-policies" : "policies";
  return policies.sourceOf(path, elsewhere);
}

/** Reads the relayer if validation needs its kind, its network's coin, or its gas price cap. */
async function relayerBefore(call: Call<UpdateFlags>, id: string, { policies, kind }: TypedUpdate) {
  if (!policies) return undefined;
  if (!kind) return await relayerForKind(call, id);
  const isNeeded = setsPolicyCap(policies) || policyCoinsIn(policies).length > 0;
  return isNeeded && dryRunReach(call) !== "nothing" ? await relayerIfReadable(call, id) : undefined;
}

async function relayerForKind(call: Call<UpdateFlags>, id: string): Promise<ApiResult<Relayer> | undefined> {
  if (dryRunReach(call) === "nothing") return undefined;
  const { client } = await call.session();
  return await client.relayers.get(id);
}
