import type { BodyFile } from "../../../command-support/request-body/body-file.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { type Field, sentFields } from "../../../contract/resources/field.ts";
import { relayerFields } from "../../../contract/resources/relayer.ts";

const FIELDS: Readonly<Record<string, Field>> = relayerFields;
const CREATABLE = sentFields(relayerFields, "create").map(([name]) => name);

/**
 * Returns a body file that may be sent: of a relayer as the service returns it, e.g. from `relayers get -o json`, without
 * the fields that the service sets, and without null, which is how it returns an unset field. A file with none of those
 * fields was written for a request, and is unchanged.
 */
export function asCreation(file: BodyFile): { file: BodyFile; dropped: readonly string[] } {
  const names = Object.keys(file.fields);
  const isResponse = names.some((name) => Object.hasOwn(FIELDS, name) && !CREATABLE.includes(name));
  if (!isResponse) return { file, dropped: [] };
  const kept = Object.entries(file.fields).filter(([name, value]) => CREATABLE.includes(name) && value !== null);
  const fields: JsonObject = Object.fromEntries(kept);
  return { file: { ...file, fields }, dropped: names.filter((name) => !CREATABLE.includes(name)) };
}
