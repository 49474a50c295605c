import { idProblem } from "../../contract/id.ts";
import { type JsonObject, type JsonValue, NumberLiteral } from "../../contract/json.ts";
import { updatePluginSchema } from "../../contract/requests.ts";
import { sentFields } from "../../contract/resources/field.ts";
import { pluginFields } from "../../contract/resources/plugin.ts";
import type { FileItem } from "./file-item.ts";
import { refer } from "./secret-value.ts";

const KNOWN = ["id", "path", ...sentFields(pluginFields, "update").map(([name]) => name)];
const REQUIRED = { id: "its ID", path: "the path of its code on the service's machine" };

/** Returns a plugin in the form of a request, with its path; `timeout` in seconds (facts 14). */
export function readPlugin(item: FileItem): JsonObject {
  const fields = item.members({ known: KNOWN, required: REQUIRED });
  const { id, path, ...changeable } = fields;
  item.validateId(id, idProblem);
  for (const name of ["id", "path"] as const) {
    const value = fields[name];
    if (value !== undefined && typeof value !== "string") item.problem(name, "must be a string", value);
  }
  if (path === "") item.doubt("path", "cannot be empty", "");
  item.validate(updatePluginSchema, changeable);
  referToSecrets(item, "config", fields.config ?? null);
  return fields;
}

/** Any text of a config that comes from elsewhere may be a secret. */
function referToSecrets(item: FileItem, path: string, value: JsonValue): void {
  if (typeof value === "string") {
    const { values } = item.document.interpolations.get(item.full(path)) ?? { values: [] };
    if (values.length > 0) refer(item, path, path, value);
  } else if (typeof value === "object" && value !== null && !(value instanceof NumberLiteral)) {
    for (const [name, member] of Object.entries(value)) referToSecrets(item, `${path}.${name}`, member);
  }
}
