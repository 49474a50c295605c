import type { Output } from "../streams.ts";
import { ClosedPipe } from "./output.ts";

/** A pager that shows what is written to it. */
export interface Pager {
  output: Pick<Output, "write">;
  /** Waits until the user has quit. @returns why it has shown nothing, or undefined */
  close(): Promise<string | undefined>;
}

/** An output that goes to a pager once the text is longer than the screen. */
export interface PagedOutput {
  stdout: Output;
  /** Whether a text is not on the screen yet, or the pager has the screen. */
  isHolding(): boolean;
  /** Writes what is left, and waits until the user has quit the pager. */
  close(): Promise<void>;
}

/** A longer text is not kept, so that it cannot be written again if the pager fails. */
const MOST_KEPT = 2 ** 20;

/**
 * @param open opens the pager; undefined if there is none
 * @param failed called with the reason if the pager has shown nothing; the text is then written straight
 */
export function createPagedOutput(
  stdout: Output,
  open: () => Promise<Pager | undefined>,
  failed: (problem: string) => Promise<void>,
): PagedOutput {
  let kept: string | undefined = "";
  let pager: Pager | undefined;
  let isDirect = false;
  let hasQuit = false;
  const writeStraight = async () => {
    const text = kept ?? "";
    [isDirect, kept] = [true, ""];
    await stdout.write(text);
  };
  const close = async () => {
    const opened = pager;
    pager = undefined;
    const problem = await opened?.close();
    if (opened && problem === undefined) hasQuit = true;
    if (hasQuit) return;
    if (problem !== undefined) await failed(problem);
    await writeStraight();
  };
  const toPager = async ({ output }: Pager, text: string) => {
    try {
      await output.write(text);
    } catch (error) {
      await close();
      if (hasQuit || !(error instanceof ClosedPipe)) throw error;
    }
  };
  const grow = (text: string) => {
    kept = kept === undefined || kept.length > MOST_KEPT ? undefined : kept + text;
  };
  const openFor = async (text: string) => {
    pager = await open();
    if (pager) await toPager(pager, text);
    else await writeStraight();
  };
  const write = async (chunk: string | Uint8Array) => {
    const text = typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    if (hasQuit) throw new ClosedPipe();
    if (isDirect) return await stdout.write(text);
    grow(text);
    if (pager) await toPager(pager, text);
    else if (kept !== undefined && kept.split("\n").length > stdout.rows) await openFor(kept);
  };
  return {
    stdout: Object.create(stdout, { write: { value: write } }),
    isHolding: () => !isDirect && kept !== "",
    close,
  };
}
