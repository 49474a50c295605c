import type { ClientEvent } from "../client/client-context.ts";

/** Reports the client's events: all with `--verbose`, otherwise notes, and each once, since a watch repeats them. */
export function eventReporter(say: (line: string) => Promise<void>, verbose: boolean): (event: ClientEvent) => void {
  let noted: string | undefined;
  return (event) => {
    if (event.type === "note" && event.text === noted) return;
    if (event.type === "note") noted = event.text;
    const line = verbose || event.type === "note" ? eventText(event) : undefined;
    // A line that cannot be written must not affect a request.
    if (line) say(line).catch(() => {});
  };
}

function eventText(event: ClientEvent): string {
  switch (event.type) {
    case "attempt":
      return `> ${event.method} ${event.target} (attempt ${event.attempt} of ${event.of})`;
    case "reply":
      return `< ${event.status}, ${event.bytes} bytes, ${event.milliseconds} ms`;
    case "no_reply":
      return `< no response: ${event.why}`;
    case "retry":
      return `  again in ${event.wait} ms: ${event.why}`;
    case "respelled":
      return `  rejected (${event.words}); sent again in the format of the real service`;
    case "page":
      return `  page ${event.page}${event.of === undefined ? "" : ` of ${event.of}`}`;
    case "accepted":
      return "";
    case "note":
      return `note: ${event.text}`;
  }
}
