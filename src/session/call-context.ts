import type { App } from "../app.ts";
import type { MessageRole } from "../terminal/message.ts";
import type { Session } from "./session.ts";

/** Prints a line for the user to stderr, escaped: as it is to a pipe, and drawn for a terminal. Silent with `--quiet`. */
export type Say = (line: string, role?: MessageRole) => Promise<void>;

/** What an ability may use of a command's call: neither its flags nor how results are printed. */
export interface CallContext {
  app: App;
  say: Say;
  /** Opens the session with server and token from flags, environment, and config, on first use. */
  session(): Promise<Session>;
}
