import type { App } from "../../../app.ts";
import { inputName, readJsonObject } from "../../../command-support/input-file.ts";
import type { Problems } from "../../../command-support/problems.ts";
import type { BodyFile } from "../../../command-support/request-body/body-file.ts";
import { isJsonObject } from "../../../contract/json.ts";
import { type PolicyFlags, type TypedPolicies, typedPolicies } from "./typed-policies.ts";

/** The policy flags, including the flag for a file. */
export interface PolicyFileFlags extends PolicyFlags {
  policies?: string;
}

/** Reads policies from flags and files. Returns undefined if no policy is specified; null to reset them all. */
export async function policiesFromFlags(
  { app, flags }: { app: App; flags: PolicyFileFlags },
  file: BodyFile,
  problems: Problems,
): Promise<TypedPolicies | null | undefined> {
  const { policies: path } = flags;
  const own = path === undefined ? undefined : await problems.gather(() => readJsonObject(app, path));
  const { policies } = file.fields;
  const files = {
    body: isJsonObject(policies) || policies === null ? { name: file.name, policies } : undefined,
    own: own && { name: inputName(path ?? ""), policies: own },
  };
  return typedPolicies(flags, files, problems);
}
