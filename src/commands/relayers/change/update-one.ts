import type { ApiResult } from "../../../client/api-result.ts";
import { reachOf } from "../../../command-support/shown.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../../contract/network-kind.ts";
import { capIn } from "../../../contract/policy/cap-change.ts";
import { Problems } from "../../../contract/problems.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { validateMerged } from "../edit/validate-merged.ts";
import type { UndoFile } from "../many/undo-file.ts";
import { relayerIfReadable } from "../relayer-if-readable.ts";
import { coinsIn, setsCap, validatePolicyCoins } from "./policy-coins.ts";
import { policyPatch } from "./policy-patch.ts";
import { sendUpdate } from "./send-update.ts";
import type { TypedUpdate, UpdateFlags } from "./update-flags.ts";

const HELP = "relayctl relayers update --help";

/** Returns the body for relayers of a kind, once that is known. */
export function bodyOf(
  { body, policies, kind }: TypedUpdate,
  found: NetworkKind | undefined,
  problems: Problems,
): JsonObject {
  if (policies === undefined) return body;
  return { ...body, policies: policies && policyPatch(problems, policies, kind ?? found) };
}

/** Changes one relayer, validated together with its current values if they were read. */
export async function updateOne(
  call: Call<UpdateFlags>,
  id: string,
  typed: TypedUpdate,
  undoFile: UndoFile | undefined,
): Promise<View> {
  const before = await relayerBefore(call, id, typed);
  const found = before?.data.network_type;
  const problems = new Problems();
  const body = bodyOf(typed, isNetworkKind(found) ? found : undefined, problems);
  await validatePolicyCoins(call, problems, typed, before?.data);
  problems.throwIfAny(HELP);
  const validated = (relayer: ApiResult<Relayer> | undefined) => validatedWhole(call, { id, typed, body }, relayer);
  const isCompared = capIn(body) !== undefined && reachOf(call) !== "nothing";
  if (validated(before) || isCompared) return await sendUpdate(call, id, body, { read: async () => before, undoFile });
  // A Stellar relayer cannot be without policies; it is read after the consent check.
  const resets = typed.policies === null;
  const read = resets ? async () => validated(await relayerForKind(call, id)) : undefined;
  return await sendUpdate(call, id, body, { read, undoFile });
}

/** Returns the relayer if the merged result breaks no rule. @throws RelayctlError usage */
function validatedWhole(
  call: Call<UpdateFlags>,
  { id, typed, body }: { id: string; typed: TypedUpdate; body: JsonObject },
  before: ApiResult<Relayer> | undefined,
): ApiResult<Relayer> | undefined {
  const problems = new Problems();
  if (before)
    validateMerged(problems, body, before.data, (path) => policySource(call, typed, path, `${path} of ${id}`));
  problems.throwIfAny(HELP);
  return before;
}

/** Returns the source of a broken policy rule: the typed policy, or `elsewhere`. */
export function policySource(
  { flags }: Call<UpdateFlags>,
  { policies }: TypedUpdate,
  path: string,
  elsewhere: string,
): string {
  if (!policies) return flags.resetPolicies ? "--reset-policies" : "policies";
  return policies.sourceOf(path, elsewhere);
}

/** Reads the relayer if the input cannot be validated without its kind, its network's coin, or its gas price cap. */
async function relayerBefore(
  call: Call<UpdateFlags>,
  id: string,
  { policies, kind }: TypedUpdate,
): Promise<ApiResult<Relayer> | undefined> {
  if (!policies) return undefined;
  if (!kind) return await relayerForKind(call, id);
  const isNeeded = setsCap(policies) || coinsIn(policies).length > 0;
  return isNeeded && reachOf(call) !== "nothing" ? await relayerIfReadable(call, id) : undefined;
}

/** Reads the relayer, whose kind is needed to validate policies. A dry run tries every kind instead. */
async function relayerForKind(call: Call<UpdateFlags>, id: string): Promise<ApiResult<Relayer> | undefined> {
  if (reachOf(call) === "nothing") return undefined;
  const { client } = await call.session();
  return await client.relayers.get(id);
}
