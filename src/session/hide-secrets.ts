import type { App } from "../app.ts";
import type { JsonValue } from "../contract/json.ts";
import { secretRpcUrlParts } from "../contract/rpc-url.ts";
import { secretFieldsIn } from "../contract/secret-fields.ts";

/** Prevents the secrets of a body from being printed, from any source. */
export function hideSecrets({ secrets }: Pick<App, "secrets">, body: JsonValue | undefined): void {
  for (const secret of secretFieldsIn(body)) secrets.add(secret);
}

/** Prevents the secrets of the URL of a node, a proxy, or a receiver from being printed, from any source. */
export function hideUrl({ secrets }: Pick<App, "secrets">, url: string): void {
  for (const part of secretRpcUrlParts(url)) secrets.add(part);
}
