import type { Call } from "../../../command-support/call.ts";
import { readBodyFile, sourcesOf } from "../../../command-support/request-body/body-file.ts";
import type { DiffFlag } from "../../../command-support/shown.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../../contract/network-kind.ts";
import type { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { updateRelayerSchema } from "../../../contract/requests.ts";
import type { FieldFlags } from "../../../contract/resources/field-types.ts";
import { relayerFields } from "../../../contract/resources/relayer.ts";
import { rpcUrlSource } from "../../../views/rpc-urls.ts";
import type { BulkFlags } from "../../bulk/flags.ts";
import { fieldsFromFlags } from "../../flags/field-flags.ts";
import { type PolicyFileFlags, policiesFromFlags, type TypedPolicies } from "./typed-policies.ts";

export interface UpdateFlags extends PolicyFileFlags, DiffFlag, BulkFlags, FieldFlags<typeof relayerFields, "update"> {
  /** False with `--no-rpc-urls`. */
  rpcUrls?: boolean;
  file?: string;
  kind?: string;
}

/** The typed changes, with the policies separate: they are validated once the relayer's kind is known. */
export interface TypedUpdate {
  body: JsonObject;
  /** Absent if no policy is specified; null to reset them all. */
  policies: TypedPolicies | null | undefined;
  kind: NetworkKind | undefined;
}

/** Converts flags and files to the requested changes. Absent, null, and value stay distinct. */
export async function updateFromFlags(
  call: Pick<Call<UpdateFlags>, "app" | "flags">,
  problems: Problems,
): Promise<TypedUpdate> {
  const { app, flags } = call;
  const file = await readBodyFile(app, flags.file);
  const policies = await policiesFromFlags(call, file, problems);
  const fromFlags = fieldsFromFlags(problems, relayerFields, "update", flags);
  const whole: JsonObject = { ...file.fields, ...fromFlags };
  const sourceOf = sourcesOf(fromFlags, file);
  validateBody(
    problems,
    updateRelayerSchema,
    whole,
    (path) => (fromFlags.custom_rpc_urls && rpcUrlSource(path)) || sourceOf(path),
  );
  const { policies: _, ...body } = whole;
  return { body, kind: isNetworkKind(flags.kind) ? flags.kind : undefined, policies };
}
