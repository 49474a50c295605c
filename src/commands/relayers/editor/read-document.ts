import { Problems } from "../../../command-support/problems.ts";
import {
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  positionsIn,
  type TextPosition,
  withoutComments,
} from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { patchBetween } from "../edit/draft.ts";
import type { Reading } from "./edit-loop.ts";
import { documentParts } from "./entries.ts";
import { typedFields } from "./typed-fields.ts";
import { validatePatch } from "./validate-patch.ts";

/** The subject of the document. */
export interface Edited {
  relayer: Relayer;
  /** The symbol of the network's coin, if known. */
  symbol: string | undefined;
}

/**
 * Parses the user's changes in a relayer's document as a merge patch: a null or missing field is cleared.
 * @param original the original document
 */
export function readDocument(text: string, original: string, { relayer, symbol }: Edited): Reading<JsonObject> {
  const json = withoutComments(text);
  const document = parsed(json);
  if (document instanceof JsonSyntaxError) return unreadable(`is not JSON: ${document.reason}`, document);
  if (!isJsonObject(document)) return unreadable("is not a JSON object", START);
  const problems = new Problems();
  const before = parseJson(withoutComments(original)) as JsonObject;
  const typed = typedFields(problems, document, documentParts(relayer, symbol), before);
  const patch = patchBetween(before, typed);
  validatePatch(problems, patch, relayer);
  if (problems.found.length === 0) return { value: patch };
  const places = positionsIn(json);
  return { problems: problems.found.map((problem) => ({ ...problem, place: sourceOf(problem.where, places) })) };
}

const START: TextPosition = { line: 1, column: 1 };

function parsed(json: string): JsonValue | JsonSyntaxError {
  try {
    return parseJson(json);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
}

function unreadable(rule: string, place: TextPosition): Reading<never> {
  return { problems: [{ where: "", rule, place }] };
}

/** Returns the position of a field; of its parent if it is missing. */
function sourceOf(path: string, places: ReadonlyMap<string, TextPosition>): TextPosition {
  const place = places.get(path);
  if (place || path === "") return place ?? START;
  return sourceOf(path.slice(0, Math.max(0, path.lastIndexOf("."))), places);
}
