import { shellVariable } from "../../command-support/request-body/body-placeholders.ts";
import { quoted } from "../../command-support/shell-words.ts";
import { usageError } from "../../errors.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { DELIVERY_HEADERS, type DeliveryTarget } from "./target.ts";

/** A delivery that is shown instead of sent. */
export interface ShownDelivery {
  body: Uint8Array;
  headers: Readonly<Record<string, string>>;
}

/** Returns the view of deliveries in a dry run. A body that is not text cannot be shown. @throws RelayctlError usage */
export async function showDeliveries(
  { common, say }: Pick<Call, "common" | "say">,
  target: DeliveryTarget,
  deliveries: readonly ShownDelivery[],
): Promise<View> {
  const { origin } = new URL(target.url);
  const texts = deliveries.map(({ body, headers }) => ({ headers: headersOf(target, headers), text: textOf(body) }));
  if (!common.curl) await say(`dry run: nothing was sent to ${origin}`);
  return { kind: "text", text: texts.map((each) => (common.curl ? curl : request)(target, each)).join("\n") };
}

interface Shown {
  headers: readonly (readonly [name: string, value: string])[];
  text: string;
}

const CREDENTIALS = "RECEIVER_CREDENTIALS";

function headersOf({ url, shown }: DeliveryTarget, headers: ShownDelivery["headers"]): Shown["headers"] {
  const hasCredentials = new URL(url).href !== shown;
  const own = { ...DELIVERY_HEADERS, ...(hasCredentials && { authorization: `Basic ${shellVariable(CREDENTIALS)}` }) };
  return Object.entries({ ...own, ...headers });
}

function request({ shown }: DeliveryTarget, { headers, text }: Shown): string {
  const { pathname, search } = new URL(shown);
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return `POST ${pathname}${search}\n${lines.join("\n")}\n\n${text}\n`;
}

function curl({ shown }: DeliveryTarget, { headers, text }: Shown): string {
  const flags = headers.map(([name, value]) => `-H ${headerWord(`${name}: ${value}`)}`);
  return `${[`curl -X POST ${quoted(shown)}`, ...flags, `--data-raw ${quoted(text)}`].join(" \\\n  ")}\n`;
}

/** Quotes a header, of which a variable is expanded by the shell. */
function headerWord(header: string): string {
  return header.includes(CREDENTIALS) ? `"${header}"` : quoted(header);
}

function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw usageError([{ where: "--dry-run", rule: "cannot show a body that is not UTF-8" }]);
  }
}
