import type { App } from "../app.ts";
import type { JsonValue } from "../contract/json.ts";
import { secretsIn } from "../contract/secret-fields.ts";

/** Whatever the secrets of a body came from, they are never printed. */
export function hideSecrets({ secrets }: Pick<App, "secrets">, body: JsonValue | undefined): void {
  for (const secret of secretsIn(body)) secrets.add(secret);
}
