import { idPathPart } from "./id.ts";
import type { Shape } from "./reply/shape.ts";
import { API_PREFIX, type Method } from "./wire.ts";

/**
 * What a failure of an operation means (promises 7.1). *Read* changes nothing; *patch* and *remove* can be read back;
 * *create* is looked up first or has an ID that the client generated; *once* must never be sent twice.
 */
export type OperationKind = "read" | "patch" | "create" | "remove" | "once";

export interface Operation {
  /** Also the command path: `relayers.update` is `relayctl relayers update`. */
  id: string;
  kind: OperationKind;
  method: Method;
  /** The path below `/api/v1`, with parameters in braces. `{route...}` is the rest of the path with its slashes. */
  path: string;
  /** For a list, validates one element. */
  data: Shape;
  /** `data` is an array and `pagination` is present. */
  list?: true;
  /** The response needs no envelope: JSON-RPC, a text, an unknown request. `data` then validates its JSON. */
  bare?: true;
  /** The response is Prometheus text: HTML or JSON comes from another program. */
  metrics?: true;
  /** A status besides 2xx that is a success if its JSON matches `data`. */
  alsoSucceeds?: number;
  /** A failure of the called program is a result with any status: an envelope with data, or JSON (facts 8.3). */
  ownFailures?: true;
  /** Returns a signature, which lets its holder spend. */
  signs?: true;
  /** The service requires no token since v1.4 (facts 1.2). */
  isPublic?: true;
  /** The field of `data` that must equal the last path parameter. */
  answers?: "id" | "nonce";
  /** The first version of the service with the route, e.g. `1.4`; absent for all versions (facts 3.0). */
  since?: string;
}

export type PathParameters = Readonly<Record<string, string>>;

/** Returns an operation's path with encoded parameters. Throws RangeError for an ID that cannot be in a path. */
export function operationPath(operation: Operation, parameters: PathParameters = {}): string {
  const path = API_PREFIX + operation.path;
  if (!path.includes("{")) return path;
  return path.replace(PARAMETER, (_, name: string, rest?: string) => {
    const value = parameters[name] ?? "";
    return rest ? value.split("/").map(idPathPart).join("/") : idPathPart(value);
  });
}

/** Matches `{plugin_id}`, `{route...}` */
const PARAMETER = /\{(\w+)(\.\.\.)?\}/g;

export function hasRestParameter({ path }: Operation, name: string): boolean {
  return path.endsWith(`{${name}...}`);
}
