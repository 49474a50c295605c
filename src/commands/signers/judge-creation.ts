import { isJsonObject } from "../../contract/json.ts";
import { createSignerSchemas } from "../../contract/requests.ts";
import { sourcesOf } from "../../flow/body-file.ts";
import { validateBody } from "../../flow/body-problems.ts";
import type { Problems } from "../../flow/problems.ts";
import { type Leaf, leavesOf } from "./leaves.ts";
import { leafIn, type TypedCreation } from "./typed-creation.ts";

/**
 * Validates a whole signer: everything that its type requires is there, and every member follows its rule (facts 8.1).
 */
export function validateCreation({ type, body, file, fromFlags }: TypedCreation, problems: Problems): void {
  if (!type) {
    if (body.type === undefined) problems.add("--type", "is required: what holds the key");
    return;
  }
  const { config = {} } = file.fields;
  if (!isJsonObject(config)) {
    problems.add(`${file.name} config`, "an object");
    return;
  }
  const leaves = leavesOf(type);
  for (const { field, flag, path } of leaves) {
    const isMissing = !field.optional && leafIn(body, { path }) === undefined;
    if (isMissing && !problems.has(flag))
      problems.add(flag, `is required for a signer of type ${type}: ${field.about}`);
  }
  const sourceOf = sourcesOf(fromFlags, file);
  validateBody(problems, createSignerSchemas[type], body, (path) => {
    const leaf = leaves.find((leaf) => isWithin(leaf, path));
    return leaf && leafIn(file.fields, leaf) === undefined ? flagAt(leaf, path) : sourceOf(path);
  });
}

function isWithin({ path: at }: Leaf, path: string): boolean {
  return `${path}.`.startsWith(`config.${at.join(".")}.`);
}

/** `--service-account-file (private_key)` */
function flagAt({ flag, path: at }: Leaf, path: string): string {
  const inner = path.split(".").slice(at.length + 1);
  return inner.length === 0 ? flag : `${flag} (${inner.join(".")})`;
}
