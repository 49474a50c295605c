import type { App } from "../app.ts";
import type { JsonValue } from "../contract/json.ts";
import { secretsIn } from "../contract/secret-fields.ts";

/** Prevents the secrets of a body from being printed, from any source. */
export function hideSecrets({ secrets }: Pick<App, "secrets">, body: JsonValue | undefined): void {
  for (const secret of secretsIn(body)) secrets.add(secret);
}
