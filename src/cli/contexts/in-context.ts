import type { Call } from "../../command-support/call.ts";
import type { AnyCommand } from "../../commands/command.ts";
import type { RelayctlError } from "../../errors.ts";
import type { View } from "../../terminal/view.ts";

/** A command in several contexts. */
export interface Run {
  call: Call;
  names: readonly string[];
  file: AnyCommand;
  prepared: unknown;
  atOnce: number;
  /** Adds what helps to find the cause of an error. */
  explain(call: Call, error: RelayctlError): Promise<RelayctlError>;
}

/** The result of a command in one of several contexts. */
export interface InContext<T extends View> {
  name: string;
  view: T;
}
