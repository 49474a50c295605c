import { percentDecoded } from "../encoding/percent.ts";
import type { Operation, PathParameters } from "../operation.ts";
import { operations } from "../operations.ts";
import { API_PREFIX, type Method } from "../wire.ts";

/** Returns the operation of a method and a known path. Extra slashes are ignored (facts 1.6). */
export function recognizeOperation(method: Method, path: string) {
  const parts = pathParts(path);
  for (const operation of Object.values<Operation>(operations)) {
    const parameters =
      operation.method === method ? matchPath(pathParts(API_PREFIX + operation.path), parts) : undefined;
    if (parameters) return { operation, parameters };
  }
  return undefined;
}

/** Returns the plugin that the service runs for a path below its API, as for any that begins with `call`. */
export function calledPlugin(path: string): string | undefined {
  const [noun, plugin, verb = ""] = pathParts(path).map(percentDecoded);
  return noun === "plugins" && verb.startsWith("call") ? plugin : undefined;
}

function pathParts(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function matchPath(pattern: readonly string[], parts: readonly string[]): PathParameters | undefined {
  const rest = /^\{(\w+)\.\.\.\}$/.exec(pattern.at(-1) ?? "")?.[1];
  if (rest !== undefined) return matchRest(pattern.slice(0, -1), parts, rest);
  if (pattern.length !== parts.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const part = percentDecoded(parts[index] ?? "");
    const name = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (part === undefined || (!name && expected !== part)) return undefined;
    if (name) parameters[name] = part;
  }
  return parameters;
}

function matchRest(pattern: readonly string[], parts: readonly string[], name: string): PathParameters | undefined {
  const before = matchPath(pattern, parts.slice(0, pattern.length));
  const rest = parts.slice(pattern.length).map(percentDecoded);
  return before && rest.length > 0 && !rest.includes(undefined) ? { ...before, [name]: rest.join("/") } : undefined;
}
