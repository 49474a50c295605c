import { requiring, shellVariable } from "../../command-support/request-body/body-placeholders.ts";
import { usageError } from "../../errors.ts";
import { type Shell, shellOf } from "../../shell/shell-of.ts";
import { quoted } from "../../shell/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { DELIVERY_HEADERS, type DeliveryTarget } from "./target.ts";

export interface ShownDelivery {
  body: Uint8Array;
  headers: Readonly<Record<string, string>>;
}

/** Returns the view of deliveries in a dry run. A body that is not text cannot be shown. @throws RelayctlError usage */
export async function showDeliveries(
  { app, common, say }: Pick<Call, "app" | "common" | "say">,
  target: DeliveryTarget,
  deliveries: readonly ShownDelivery[],
): Promise<View> {
  const { origin } = new URL(target.url);
  const texts = deliveries.map(({ body, headers }) => ({
    headers: listHeaders(target, headers),
    text: formatText(body),
  }));
  const shell = shellOf(app.env);
  const shownText = (each: Shown) => (common.curl ? curl(target, each, shell) : request(target, each));
  if (!common.curl) await say(`dry run: nothing was sent to ${origin}`);
  return { kind: "text", text: texts.map(shownText).join("\n") };
}

interface Shown {
  headers: readonly (readonly [name: string, value: string])[];
  text: string;
}

const CREDENTIALS = "RECEIVER_CREDENTIALS";

function listHeaders({ url, shown }: DeliveryTarget, headers: ShownDelivery["headers"]): Shown["headers"] {
  const hasCredentials = new URL(url).href !== shown;
  const own = { ...DELIVERY_HEADERS, ...(hasCredentials && { authorization: `Basic ${shellVariable(CREDENTIALS)}` }) };
  return Object.entries({ ...own, ...headers });
}

function request({ shown }: DeliveryTarget, { headers, text }: Shown): string {
  const { pathname, search } = new URL(shown);
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return `POST ${pathname}${search}\n${lines.join("\n")}\n\n${text}\n`;
}

function curl({ shown }: DeliveryTarget, { headers, text }: Shown, shell: Shell): string {
  const own = `authorization: Basic ${shellVariable(CREDENTIALS)}`;
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  // The shell expands the variable alone, never what else a header holds.
  const expanded = `"authorization: Basic ${shellVariable(CREDENTIALS, shell)}"`;
  const flags = lines.map((line) => `-H ${line === own ? expanded : quoted(line)}`);
  const guard = shell === "fish" && lines.includes(own) ? requiring([CREDENTIALS]) : "";
  return `${[`${guard}curl -X POST ${quoted(shown)}`, ...flags, `--data-raw ${quoted(text)}`].join(" \\\n  ")}\n`;
}

function formatText(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw usageError([{ where: "--dry-run", rule: "cannot show a body that is not UTF-8" }]);
  }
}
