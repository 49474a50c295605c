import { readJsonObject } from "../../command-support/input-file.ts";
import type { Problems } from "../../command-support/problems.ts";
import { readBodyFile, sourcesOf } from "../../command-support/request-body/body-file.ts";
import { validateBody } from "../../command-support/request-body/body-problems.ts";
import type { DiffFlag } from "../../command-support/shown.ts";
import { parseDuration } from "../../config/duration.ts";
import { RuleError } from "../../config/sourced.ts";
import type { JsonObject } from "../../contract/json.ts";
import { updatePluginSchema } from "../../contract/requests.ts";
import type { FieldFlags } from "../../contract/resources/field-types.ts";
import { pluginFields } from "../../contract/resources/plugin.ts";
import type { Call } from "../command.ts";
import { fieldsFromFlags } from "../flags/field-flags.ts";

/** The flags of `plugins update`, with commander's names. */
export interface UpdateFlags extends DiffFlag, FieldFlags<typeof pluginFields, "update"> {
  pluginTimeout?: string;
  /** False with `--no-config`. */
  config?: string | false;
  file?: string;
}

/** Returns the typed body of a change; an empty one is a problem. */
export async function changeFromFlags({ app, flags }: Call<UpdateFlags>, problems: Problems): Promise<JsonObject> {
  const file = await readBodyFile(app, flags.file);
  const timeout = secondsOf(flags.pluginTimeout, problems);
  const config = await configOf({ app, flags }, problems);
  const typed: JsonObject = {
    ...(timeout !== undefined && { timeout }),
    ...fieldsFromFlags(problems, pluginFields, "update", flags),
    ...(config && { config }),
  };
  const body: JsonObject = { ...file.fields, ...typed };
  const sourceOf = sourcesOf(typed, file);
  validateBody(problems, updatePluginSchema, body, (path) =>
    path === "timeout" && timeout !== undefined ? FLAG : sourceOf(path),
  );
  const isEmpty = Object.keys(body).length === 0 && problems.found.length === 0;
  if (isEmpty) problems.add("plugins update", "nothing to change; specify a field");
  return body;
}

/** `--timeout` is already the time limit of one attempt. */
const FLAG = "--plugin-timeout";

function secondsOf(typed: string | undefined, problems: Problems): bigint | undefined {
  if (typed === undefined) return undefined;
  try {
    const milliseconds = parseDuration(typed, { zero: true });
    if (milliseconds % 1000 === 0) return BigInt(milliseconds / 1000);
    problems.add(FLAG, "must be in whole seconds", typed);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    problems.add(FLAG, error.message, typed);
  }
  return undefined;
}

/** Returns the config. Null would change nothing (facts 8.3): an empty object empties the config. */
async function configOf(
  { app, flags: { config } }: Pick<Call<UpdateFlags>, "app" | "flags">,
  problems: Problems,
): Promise<JsonObject | undefined> {
  if (config === undefined) return undefined;
  return config === false ? {} : await problems.gather(() => readJsonObject(app, config));
}
