import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import { type BodyFile, bodyFileSources, readBodyFile } from "../../../command-support/request-body/body-file.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../../contract/network-kind.ts";
import { policyGaps, policyNetworkRule } from "../../../contract/policy.ts";
import type { Problems } from "../../../contract/problems.ts";
import { bodyFlag, validateBody } from "../../../contract/requests/body-problems.ts";
import { createRelayerSchema } from "../../../contract/requests.ts";
import { type Field, sentFields } from "../../../contract/resources/field.ts";
import { relayerFields } from "../../../contract/resources/relayer.ts";
import { maskedRpcUrlPaths } from "../../../contract/rpc-url.ts";
import { userShell } from "../../../shell/shell-words.ts";
import { rpcUrlFlagSource } from "../../../views/rpc-url-flags.ts";
import { BODY_FILE, type Call, type CommandSyntax, type InteractiveFlag, type ParsedFlags } from "../../command.ts";
import { defineFieldFlags, fieldsFromFlags } from "../../flags/field-flags.ts";
import { type TypedPolicies, typedPoliciesFromFlags, typedPolicyPatch } from "../change/typed-policies.ts";

const FIELDS: Readonly<Record<string, Field>> = relayerFields;
const CREATABLE = sentFields(relayerFields, "create").map(([name]) => name);

/** A file from `relayers get -o json` loses what the service sets, and its nulls, which stand for unset fields. */
export function relayerFileAsCreation(file: BodyFile): { file: BodyFile; dropped: readonly string[] } {
  const names = Object.keys(file.fields);
  const isResponse = names.some((name) => Object.hasOwn(FIELDS, name) && !CREATABLE.includes(name));
  if (!isResponse) return { file, dropped: [] };
  const kept = Object.entries(file.fields).filter(([name, value]) => CREATABLE.includes(name) && value !== null);
  const fields: JsonObject = Object.fromEntries(kept);
  return { file: { ...file, fields }, dropped: names.filter((name) => !CREATABLE.includes(name)) };
}

/** The source of the missing strategy, which a relayer on Stellar requires. */
export const STRATEGY = "--policy fee_payment_strategy";

/** Returns a new relayer's policies, validated as a whole (facts 4.3); undefined if none is specified. */
function firstPolicies(
  problems: Problems,
  typed: TypedPolicies | undefined,
  kind: NetworkKind,
  network: JsonValue | undefined,
): JsonObject | undefined {
  if (!typed) {
    if (kind === "stellar") problems.add(STRATEGY, "Stellar policy is required. fee_payment_strategy is required");
    return undefined;
  }
  const before = problems.found.length;
  const policies = typedPolicyPatch(problems, typed, kind);
  if (problems.found.length > before) return policies;
  for (const { path, rule } of policyGaps(kind, policies)) problems.add(typed.sourceOf(path), rule);
  const networkProblem = policyNetworkRule(kind, network, policies);
  if (networkProblem !== undefined) problems.add(typed.sourceOf("swap_config.strategy"), networkProblem);
  return policies;
}

export type CreateFlags = ParsedFlags<typeof defineRelayerCreateFlags> & InteractiveFlag;

export function defineRelayerCreateFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Fields")
    .include((flags) => defineFieldFlags(flags, relayerFields, "create"))
    .optionsGroup("Policies")
    .option(
      "--policy <key=value>",
      "Set a policy, e.g. gas_price_cap=80gwei (repeatable); for keys and units, run `relayctl help policies`",
      "values",
    )
    .option("--policies <file>", "Read policies from a JSON file (`-` for stdin)")
    .optionsGroup("Request")
    .option(...BODY_FILE);
}

export const REQUIRED: Readonly<Record<string, string>> = Object.fromEntries(
  sentFields(relayerFields, "create").flatMap(([name, { needed }]) => (needed === undefined ? [] : [[name, needed]])),
);

export async function relayerCreationWithNotes(call: Call<CreateFlags>, problems: Problems): Promise<JsonObject> {
  const { file, dropped } = relayerFileAsCreation(await readBodyFile(call.app, call.flags.file));
  if (dropped.length > 0)
    await call.say({ note: `${file.name}: fields that the service sets are left out: ${dropped.join(", ")}` });
  const body = await relayerCreationFromFlags(call, problems, file);
  if (maskedRpcUrlPaths(body).length > 0)
    problems.hint = repeatedCommand(call.argv, ["--rpc-url", "URL"], userShell(call.app.env));
  return body;
}

export async function relayerCreationFromFlags(
  call: Call<CreateFlags>,
  problems: Problems,
  read?: BodyFile,
): Promise<JsonObject> {
  const file = read ?? relayerFileAsCreation(await readBodyFile(call.app, call.flags.file)).file;
  const policies = await typedPoliciesFromFlags(call, file, problems);
  const typed = fieldsFromFlags(problems, relayerFields, "create", call.flags);
  const body = withDefaults({ ...file.fields, ...typed });
  validateFields(problems, body, typed, file);
  const { network_type: kind, network } = body;
  if (!isNetworkKind(kind)) return body;
  const validated = firstPolicies(problems, policies ?? undefined, kind, network);
  return validated ? { ...body, policies: validated } : body;
}

/** Adds `paused`, which the real service requires (facts 3.1). */
function withDefaults(body: JsonObject): JsonObject {
  const missing = sentFields(relayerFields, "create").flatMap(([name, { otherwise }]) =>
    otherwise === undefined || body[name] !== undefined ? [] : [[name, otherwise] as const],
  );
  return { ...body, ...Object.fromEntries(missing) };
}

function validateFields(problems: Problems, body: JsonObject, typed: JsonObject, file: BodyFile): void {
  for (const [field, what] of Object.entries(REQUIRED)) {
    if (body[field] === undefined) problems.add(bodyFlag(field), `is required: ${what}`);
  }
  const sourceOf = bodyFileSources(typed, file);
  const isUrl = (path: string) => typed.custom_rpc_urls && rpcUrlFlagSource(path);
  validateBody(problems, createRelayerSchema, body, (path) => isUrl(path) || sourceOf(path));
}
