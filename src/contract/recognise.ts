import type { Operation, PathParameters } from "./operation.ts";
import { operations } from "./operations.ts";
import { API_PREFIX, type Method } from "./wire.ts";

/** The operation that a method and a path below `/api/v1` are, with the parameters decoded; nothing for an unknown one. */
export function recognise(method: Method, path: string): { operation: Operation; parameters: PathParameters } | undefined {
  const parts = path.slice(API_PREFIX.length).replace(/\/+/g, "/").replace(/\/$/, "").split("/");
  for (const operation of Object.values<Operation>(operations)) {
    const parameters = operation.method === method ? match(operation.path.split("/"), parts) : undefined;
    if (parameters) return { operation, parameters };
  }
  return undefined;
}

function match(pattern: readonly string[], parts: readonly string[]): PathParameters | undefined {
  if (pattern.length !== parts.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (name) parameters[name] = decodeURIComponent(part);
    else if (expected !== part) return undefined;
  }
  return parameters;
}
