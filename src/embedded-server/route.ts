import { type OperationId, operations } from "../contract/operations.ts";
import { API_PREFIX } from "../contract/wire.ts";
import type { Handler } from "./handler.ts";
import { badRequest } from "./refusal.ts";

interface Route {
  method: string;
  /** The parts of the path; a parameter is undefined. */
  parts: readonly (string | undefined)[];
  /** Whether the last parameter takes the rest of the path. */
  takesRest: boolean;
  handler: Handler;
}

/** Returns the handler for a path, with the path's parameters; undefined for an unknown path or method. */
export type FindRoute = (method: string, path: string) => { handler: Handler; ids: string[] } | undefined;

/**
 * Creates the routes of the contract with these handlers.
 * @returns a function that throws a Refusal for a parameter with invalid percent-encoding
 */
export function createRoutes(handlers: Readonly<Record<OperationId, Handler>>): FindRoute {
  const routes: readonly Route[] = (Object.keys(operations) as OperationId[]).map((id) => {
    const { method, path } = operations[id];
    const parts = `${API_PREFIX}${path}`.split("/").map((part) => (part.startsWith("{") ? undefined : part));
    return { method, parts, takesRest: path.endsWith("...}"), handler: handlers[id] };
  });
  const whole = new Map(
    routes.filter(isWhole).map(({ method, parts, handler }) => [`${method} ${parts.join("/")}`, handler]),
  );
  return (method, path) => {
    const known = whole.get(`${method} ${path}`);
    if (known) return { handler: known, ids: [] };
    const given = path.split("/");
    const route = routes.find((candidate) => candidate.method === method && fits(candidate, given));
    const ids = given.filter((_, index) => route?.parts[index] === undefined);
    return route && { handler: route.handler, ids: ids.map(decoded) };
  };
}

/** Returns whether a route has no parameters: it is then found by its literal path. */
function isWhole({ parts }: Route): boolean {
  return !parts.includes(undefined);
}

function fits(route: Route, given: readonly string[]): boolean {
  if (route.takesRest ? given.length < route.parts.length : given.length !== route.parts.length) return false;
  return route.parts.every((part, index) => (part === undefined ? given[index] !== "" : part === given[index]));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest();
  }
}
