import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import { type BodyFile, readBodyFile, sourcesOf } from "../../../command-support/request-body/body-file.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { isNetworkKind } from "../../../contract/network-kind.ts";
import type { Problems } from "../../../contract/problems.ts";
import { flagOf, validateBody } from "../../../contract/requests/body-problems.ts";
import { createRelayerSchema } from "../../../contract/requests.ts";
import { sentFields } from "../../../contract/resources/field.ts";
import type { FieldFlags } from "../../../contract/resources/field-types.ts";
import { relayerFields } from "../../../contract/resources/relayer.ts";
import { maskedUrlPaths } from "../../../contract/rpc-url.ts";
import { shellOf } from "../../../shell/shell-of.ts";
import { rpcUrlSource } from "../../../views/rpc-urls.ts";
import type { Call } from "../../command.ts";
import { fieldsFromFlags } from "../../flags/field-flags.ts";
import { type PolicyFileFlags, policiesFromFlags } from "../change/typed-policies.ts";
import { firstPolicies } from "./first-policies.ts";
import { asCreation } from "./from-response.ts";

export interface CreateFlags
  extends Omit<PolicyFileFlags, "unsetPolicy" | "resetPolicies">,
    FieldFlags<typeof relayerFields, "create"> {
  file?: string;
  interactive?: true;
}

export const REQUIRED: Readonly<Record<string, string>> = Object.fromEntries(
  sentFields(relayerFields, "create").flatMap(([name, { needed }]) => (needed === undefined ? [] : [[name, needed]])),
);

/** Returns the typed body of a new relayer, and reports what of a file is not sent. */
export async function creationWithNotes(call: Call<CreateFlags>, problems: Problems): Promise<JsonObject> {
  const { file, dropped } = asCreation(await readBodyFile(call.app, call.flags.file));
  if (dropped.length > 0)
    await call.say(`note: ${file.name}: fields that the service sets are left out: ${dropped.join(", ")}`);
  const body = await creationFromFlags(call, problems);
  if (maskedUrlPaths(body).length > 0)
    problems.hint = repeatedCommand(call.argv, ["--rpc-url", "URL"], shellOf(call.app.env));
  return body;
}

/** Returns the typed body of a new relayer, validated by every rule that needs no request. */
export async function creationFromFlags(call: Call<CreateFlags>, problems: Problems): Promise<JsonObject> {
  const { file } = asCreation(await readBodyFile(call.app, call.flags.file));
  const policies = await policiesFromFlags(call, file, problems);
  const typed = fieldsFromFlags(problems, relayerFields, "create", call.flags);
  const body = withDefaults({ ...file.fields, ...typed });
  validateFields(problems, body, typed, file);
  const { network_type: kind, network } = body;
  if (!isNetworkKind(kind)) return body;
  const validated = firstPolicies(problems, policies ?? undefined, kind, network);
  return validated ? { ...body, policies: validated } : body;
}

/** Adds `paused`, which the service really requires (facts 3.1). */
function withDefaults(body: JsonObject): JsonObject {
  const missing = sentFields(relayerFields, "create").flatMap(([name, { otherwise }]) =>
    otherwise === undefined || body[name] !== undefined ? [] : [[name, otherwise] as const],
  );
  return { ...body, ...Object.fromEntries(missing) };
}

function validateFields(problems: Problems, body: JsonObject, typed: JsonObject, file: BodyFile): void {
  for (const [field, what] of Object.entries(REQUIRED)) {
    if (body[field] === undefined) problems.add(flagOf(field), `is required: ${what}`);
  }
  const sourceOf = sourcesOf(typed, file);
  const isUrl = (path: string) => typed.custom_rpc_urls && rpcUrlSource(path);
  validateBody(problems, createRelayerSchema, body, (path) => isUrl(path) || sourceOf(path));
}
