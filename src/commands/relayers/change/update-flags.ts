import type { Call } from "../../../command-support/call.ts";
import { bodyFileSources, readBodyFile } from "../../../command-support/request-body/body-file.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { isNetworkKind, NETWORK_KINDS } from "../../../contract/network-kind.ts";
import type { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { updateRelayerSchema } from "../../../contract/requests.ts";
import { relayerFields } from "../../../contract/resources/relayer.ts";
import { rpcUrlFlagSource } from "../../../views/rpc-url-flags.ts";
import { defineBulkFlags } from "../../bulk/flags.ts";
import { BODY_FILE, type CommandSyntax, DIFF, type ParsedFlags } from "../../command.ts";
import { defineFieldFlags, fieldsFromFlags } from "../../flags/field-flags.ts";
import { typedPoliciesFromFlags } from "./typed-policies.ts";

/** `rpcUrls` is false with `--no-rpc-urls`, whose name differs from the flag that it opposes. */
export type UpdateFlags = ParsedFlags<typeof defineUpdateFlags> & { rpcUrls?: boolean };

export function defineUpdateFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Fields")
    .include((flags) => defineFieldFlags(flags, relayerFields, "update"))
    .optionsGroup("Policies")
    .option(
      "--policy <key=value>",
      "Set a policy, e.g. gas_price_cap=80gwei (repeatable); for keys and units, run `relayctl help policies`",
      "values",
    )
    .option("--unset-policy <key>", "Clear a policy (repeatable)", "values")
    .option("--policies <file>", "Read policies from a JSON file (`-` for stdin)")
    .option("--reset-policies", "Clear all policies (requires the relayer's ID as confirmation)")
    .choice("--network-type <type>", "Network type; skips looking it up", NETWORK_KINDS)
    .include(defineBulkFlags)
    .optionsGroup("Request")
    .option(...BODY_FILE)
    .option(...DIFF);
}

/** Policies are separate, since they are validated once the relayer's kind is known. */
export type TypedUpdate = Awaited<ReturnType<typeof updateFromFlags>>;

export async function updateFromFlags(call: Pick<Call<UpdateFlags>, "app" | "flags">, problems: Problems) {
  const { app, flags } = call;
  const file = await readBodyFile(app, flags.file);
  const policies = await typedPoliciesFromFlags(call, file, problems);
  const fromFlags = fieldsFromFlags(problems, relayerFields, "update", flags);
  const whole: JsonObject = { ...file.fields, ...fromFlags };
  const sourceOf = bodyFileSources(fromFlags, file);
  validateBody(
    problems,
    updateRelayerSchema,
    whole,
    (path) => (fromFlags.custom_rpc_urls && rpcUrlFlagSource(path)) || sourceOf(path),
  );
  const { policies: _, ...body } = whole;
  return { body, kind: isNetworkKind(flags.networkType) ? flags.networkType : undefined, policies };
}
