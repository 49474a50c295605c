import type { Call } from "../command-support/call.ts";
import { resolveSettings } from "../config/resolve-settings.ts";
import { RelayctlError } from "../errors.ts";

/** Adds where the token comes from that a service rejected: it is often not the one that the user has in mind. */
export async function withTokenSource({ app, common }: Call, error: RelayctlError): Promise<RelayctlError> {
  const { http } = error.http || !(error.cause instanceof RelayctlError) ? error : error.cause;
  if (!http) return error;
  const settings = await resolveSettings(common, app.env, () => app.config.read());
  if (settings.demo || settings.token.kind === "none") return error;
  return error.with({ because: [`the token is from ${settings.token.from}; the server is ${settings.server.value}`] });
}
