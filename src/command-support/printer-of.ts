import { colorEnabled } from "../terminal/capabilities.ts";
import type { Printer } from "../terminal/printer.ts";
import type { Call } from "./call.ts";

/** Returns the printer for a call's result. */
export function printerOf({ app, common, say }: Pick<Call, "app" | "common" | "say">): Printer {
  const { env, stdout, manyPass } = app;
  return { stdout, color: colorEnabled(env, common.color ?? "auto", stdout.isTerminal), note: say, manyPass };
}
