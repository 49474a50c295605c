import { visibleLines } from "./escape.ts";
import type { OutputOptions } from "./output-options.ts";
import type { Printer } from "./printer.ts";
import { renderBody } from "./render/body.ts";
import { renderFacts } from "./render/facts.ts";
import { renderList } from "./render/list.ts";
import { renderOne } from "./render/one.ts";
import type { View } from "./view.ts";

/**
 * Prints the result of a command in the requested format (promises 3). The only place where results reach stdout.
 * @param beforeDrawing called once the result is complete, before it is drawn; not for rows that are written as they
 * arrive
 * @throws RelayctlError usage, if `--query` cannot be applied; io; ClosedPipe; and whatever the pages of a list throw
 */
export async function renderView(
  view: View,
  options: OutputOptions,
  out: Printer,
  beforeDrawing: () => Promise<void> = async () => {},
): Promise<void> {
  if (view.kind === "list") return renderList(view, options, out, beforeDrawing);
  await beforeDrawing();
  switch (view.kind) {
    case "one":
      return renderOne(view, options, out);
    case "facts":
      return renderFacts(view, options, out);
    case "body":
      return renderBody(view.body, options, out);
    case "text":
      return printText(view, out);
    case "nothing":
      return;
  }
}

async function printText({ text, secret }: Extract<View, { kind: "text" }>, { stdout }: Printer): Promise<void> {
  const lines = stdout.isTerminal ? visibleLines(text) : text;
  const ended = lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
  await (secret ? stdout.reveal(ended) : stdout.write(ended));
}
