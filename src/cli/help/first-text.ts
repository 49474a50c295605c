import { type ReadShipped, shippedNouns } from "../../completion/shipped-words.ts";
import { asciiText, showsAscii } from "../../terminal/ascii.ts";
import type { ColorEnvironment } from "../../terminal/capabilities.ts";
import type { Output } from "../../terminal/streams/output.ts";
import { drawHelp, helpLayout } from "./draw.ts";
import { programBarePage, programPage } from "./program-page.ts";

type Stream = Pick<Output, "isTerminal" | "columns">;

/** Returns a text that needs no command, since a user often runs it first. */
export function firstText(about: "bare" | "program", read: ReadShipped, stream: Stream, env: ColorEnvironment): string {
  const blocks = about === "bare" ? programBarePage() : programPage(shippedNouns(read));
  const text = drawHelp(blocks, helpLayout(stream, env));
  return showsAscii(stream, env) ? asciiText(text) : text;
}
