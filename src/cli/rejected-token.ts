import type { Call } from "../command-support/call.ts";
import { gatewayHeadersLine } from "../config/token/read-headers.ts";
import { RelayctlError } from "../errors.ts";
import { readSettings } from "../session/read-settings.ts";

export async function rejectedTokenError({ app, common }: Call, error: RelayctlError): Promise<RelayctlError> {
  const { http, subject } = error.http || !(error.cause instanceof RelayctlError) ? error : error.cause;
  if (!http) return error;
  const settings = await readSettings(app, common);
  if (!settings.demo && subject?.kind === "gateway") return error.with({ because: [gatewayHeadersLine(settings)] });
  if (settings.demo || settings.token.kind === "none") return error;
  return error.with({ because: [`the token is from ${settings.token.from}; the server is ${settings.server.value}`] });
}
