import { newIdProblem } from "../../contract/id.ts";
import type { JsonValue } from "../../contract/json.ts";
import type { FileItem } from "./file-item.ts";

/** Validates the ID of a resource that the service could have to create. */
export function validateId(item: FileItem, id: JsonValue | undefined): void {
  const problem = typeof id === "string" ? newIdProblem(id) : undefined;
  if (problem !== undefined && !item.isSettled("id")) item.problem("id", problem, id);
}
