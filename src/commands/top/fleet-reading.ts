import { RelayctlError } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { STATUS_TIMEOUT } from "../../timing.ts";
import type { Call } from "../command.ts";
import type { Source } from "./state.ts";

/** How the relayers of one context are read, again and again. */
export interface FleetReading {
  call: Call;
  session: Session;
  ids: readonly string[] | undefined;
  /** Milliseconds between two reads of the list. */
  every: number;
  inView(): readonly string[];
  /** Called with all that is known after each read, and what happened since the one before. */
  read(source: Source, events: readonly string[]): void;
  /** Called with what would be printed on stderr. */
  noted(text: string): void;
  /** Resolves when the screen is there: nothing is read while a command has the terminal. */
  whenShown(): Promise<void>;
  ended: AbortSignal;
}

/** Returns the result of a read; undefined after a failure that may pass, which is reported. */
export async function unlessPassing<T>(
  read: () => Promise<T>,
  failed: (error: RelayctlError) => void,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    failed(error);
    return undefined;
  }
}

/** Returns the same reading with requests that are sent once, and print nothing. */
export function quietReading(reading: FleetReading): FleetReading {
  const { call, session, noted } = reading;
  const client = session.briefly(STATUS_TIMEOUT, {
    report(event) {
      if (event.type === "note") noted(event.text);
    },
  });
  const quiet = { ...session, client, inBulk: () => client };
  const say = async (line: string) => noted(line);
  return { ...reading, session: quiet, call: { ...call, say, session: async () => quiet } };
}
