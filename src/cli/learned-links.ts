import type { Call } from "../command-support/call.ts";
import { printerOf } from "../command-support/printing.ts";
import type { AnyCommand } from "../commands/command.ts";
import type { JsonValue } from "../contract/json.ts";
import { takesLinks } from "../terminal/capabilities.ts";
import { formatFor } from "../terminal/render.ts";
import type { Page, View } from "../terminal/view.ts";
import { usesService } from "./request-flags.ts";

/** Returns a view whose hashes, addresses, and blocks are known before it is drawn, for a terminal that shows links. */
export async function withLinksLearned(view: View, call: Call, { sends }: Pick<AnyCommand, "sends">): Promise<View> {
  const { app, output, among, common } = call;
  const isShown = [app.stdout, app.stderr].some(({ isTerminal }) => takesLinks(app.env, isTerminal));
  if (!isShown || !usesService(sends) || !("value" in view || view.kind === "list")) return view;
  const usual = view.kind === "list" ? view.usual : undefined;
  const mayRead = sends === "read" && (output.format ?? usual ?? formatFor(output, printerOf(call))) === "table";
  const { learnLinks } = await import("../command-support/links.ts");
  const learn = (values: readonly JsonValue[]) =>
    learnLinks(call, values, { mayRead, ...(among && { context: common.context }) });
  if (view.kind !== "list") await learn([view.value]);
  else view.pages = learned(view.pages, learn);
  return view;
}

async function* learned(pages: AsyncIterable<Page>, learn: (items: Page["items"]) => Promise<void>) {
  for await (const page of pages) {
    await learn(page.items);
    yield page;
  }
}
