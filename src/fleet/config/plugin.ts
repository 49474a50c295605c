import { idProblem } from "../../contract/id.ts";
import type { JsonObject } from "../../contract/json.ts";
import { updatePluginSchema } from "../../contract/requests.ts";
import { sentFields } from "../../contract/resources/field.ts";
import { pluginFields } from "../../contract/resources/plugin.ts";
import type { FileItem } from "./file-item.ts";

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
  return fields;
}
