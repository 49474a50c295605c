import type { Call, Say } from "../command-support/call.ts";
import { labelReader, printerOf, sayReceipt } from "../command-support/printing.ts";
import { type AnyCommand, commandAppliesTo } from "../commands/command.ts";
import type { JsonValue } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import type { Message } from "../message.ts";
import { hasLinks } from "../terminal/capabilities.ts";
import type { Printer } from "../terminal/printer.ts";
import { renderFormat, renderView } from "../terminal/render.ts";
import { ClosedPipe } from "../terminal/streams/output.ts";
import type { Ending, Page, View } from "../terminal/view.ts";
import { requestSendsWrites, sendsRequest } from "./request-flags.ts";

interface Drawing {
  file: AnyCommand;
  opening(): Promise<void>;
}

/** The receipt comes first, so that no failed output can hide it. A failed command keeps its own failure. */
export async function printView(view: View, call: Call, drawing: Drawing): Promise<void> {
  const printer = await withLabels(printerFor(view, call), view, call);
  const faults: unknown[] = [];
  const note: Say = async (line) => void (await printer.note(line).catch((error: unknown) => faults.push(error)));
  const say = async (lines: readonly Message[] = []) => {
    for (const line of lines) await note(line);
  };
  const receiptPrinted = async () => {
    const ending = await viewEnding(view);
    for (const receipt of [ending.receipt, ...(ending.receipts ?? [])]) await sayReceipt(note, receipt);
    return ending;
  };
  let printed: Promise<Ending> | undefined;
  const printReceipt = () => (printed ??= receiptPrinted());
  const draw = async (to: Printer) => {
    if (!isReceiptAlone(view, call)) await renderView(view, call.output, to, async () => void (await printReceipt()));
  };
  await drawPaged(view, call, { ...drawing, printer, draw }).catch((error: unknown) => faults.push(error));
  const { notes, receipt, next, failure, outlook } = await printReceipt();
  await say(notes);
  // The next command is last, also below an error.
  if (!failure) await say(next);
  if (!failure && faults.length === 0 && !printer.isQuiet) return await say(await outlook?.());
  const fault = faults.find((found) => !(found instanceof ClosedPipe)) ?? faults[0];
  if (failure) throw failure.with({ because: faultWords(fault), next: printer.isQuiet ? [] : (next ?? []) });
  if (fault !== undefined) throw receipt && fault instanceof RelayctlError ? unwrittenError(fault) : fault;
}

/** Returns whether only a receipt reports a change: `get`, and a requested output, show the rest. */
function isReceiptAlone(view: View, { app, output: { format, fields, query } }: Call): boolean {
  const isRequested = [format, fields, query].some((typed) => typed !== undefined);
  return view.kind !== "nothing" && view.isChange === true && app.stdout.isTerminal && !isRequested;
}

function printerFor(view: View, call: Call): Printer {
  const printer = printerOf(call);
  const { inLog } = call.app;
  const format = call.output.format ?? (view.kind === "list" ? view.usual : undefined);
  const isExact = view.kind === "body" || view.kind === "text" || format === "raw" || format === "yaml";
  if (!inLog || isExact) return printer;
  const isJson = format === "json" || format === "ndjson";
  return { ...printer, stdout: inLog(printer.stdout, isJson ? "json" : "text") };
}

async function withLabels(printer: Printer, view: View, { app }: Call): Promise<Printer> {
  if (!printer.stdout.isTerminal || (view.kind === "list" && view.resource.hasLabels)) return printer;
  const labelOf = await labelReader(app);
  return labelOf ? { ...printer, labelOf } : printer;
}

export async function viewEnding(view: View): Promise<Ending> {
  if (view.kind === "list") return (await view.ending?.()) ?? {};
  return view.kind === "nothing" ? {} : view;
}

function unwrittenError(cause: RelayctlError): RelayctlError {
  const more = { applied: "yes", because: faultWords(cause), cause } as const;
  return new RelayctlError("io", "applied, but the result could not be written", more);
}

function faultWords(fault: unknown): string[] {
  return fault instanceof RelayctlError ? [fault.message] : [];
}

/** Draws a view, through the user's pager if it is a table or details of a read that are longer than the screen. */
async function drawPaged(
  view: View,
  call: Call,
  { file, opening, printer, draw }: Drawing & { printer: Printer; draw(to: Printer): Promise<void> },
): Promise<void> {
  const { app, common, output } = call;
  const usual = view.kind === "list" ? view.usual : undefined;
  const isDrawn =
    ["list", "one", "facts"].includes(view.kind) &&
    (output.format ?? usual ?? renderFormat(output, printer)) === "table";
  const isRead = !requestSendsWrites(file.sends) && !commandAppliesTo(file.waits, call);
  const { stdout, note: warn } = printer;
  if (!stdout.isTerminal || !isDrawn || !isRead) return await draw(printer);
  const { pagedOutput } = await import("../command-support/paging.ts");
  const paged = pagedOutput(app, { stdout, common, warn, opening });
  if (!paged) return await draw(printer);
  const later: Message[] = [];
  const note: Say = async (line) => (paged.isHolding() ? void later.push(line) : await warn(line));
  try {
    await draw({ ...printer, stdout: paged.stdout, note });
  } finally {
    await paged.close();
    for (const line of later) await warn(line);
  }
}

/** Returns a view whose hashes, addresses, and blocks are known before it is drawn, for a terminal that shows links. */
export async function loadViewLinks(view: View, call: Call, { sends }: Pick<AnyCommand, "sends">): Promise<View> {
  const { app, output, among, common } = call;
  const isShown = [app.stdout, app.stderr].some(({ isTerminal }) => hasLinks(app.env, isTerminal));
  if (!isShown || !sendsRequest(sends) || !("value" in view || view.kind === "list")) return view;
  const usual = view.kind === "list" ? view.usual : undefined;
  const mayRead = sends === "read" && (output.format ?? usual ?? renderFormat(output, printerOf(call))) === "table";
  const { loadLinks } = await import("../command-support/links.ts");
  const learn = (values: readonly JsonValue[]) =>
    loadLinks(call, values, { mayRead, ...(among && { context: common.context }) });
  if (view.kind !== "list") await learn([view.value]);
  else view.pages = learnPages(view.pages, learn);
  return view;
}

async function* learnPages(pages: AsyncIterable<Page>, learn: (items: Page["items"]) => Promise<void>) {
  for await (const page of pages) {
    await learn(page.items);
    yield page;
  }
}
