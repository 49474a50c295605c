import { withoutLinks } from "../links.ts";
import { ClosedPipe, type Output } from "./output.ts";

export interface Pager {
  output: Pick<Output, "write">;
  /** Waits until the user has quit. @returns why it failed, or undefined */
  close(): Promise<string | undefined>;
}

export type PagedOutput = ReturnType<typeof createPagedOutput>;

/** A text that a pager got is never written again, since a failed pager may have shown it. */
export function createPagedOutput(
  stdout: Output,
  open: () => Promise<Pager | undefined>,
  failed: (problem: string) => Promise<void>,
) {
  let kept = "";
  let pager: Pager | undefined;
  let isDirect = false;
  let hasQuit = false;
  const writeStraight = async () => {
    const text = kept;
    [isDirect, kept] = [true, ""];
    await stdout.write(text);
  };
  const close = async () => {
    const opened = pager;
    [pager, hasQuit] = [undefined, hasQuit || opened !== undefined];
    const problem = await opened?.close();
    if (problem !== undefined) await failed(problem);
    if (!hasQuit) await writeStraight();
  };
  const toPager = async ({ output }: Pager, text: string) => {
    try {
      await output.write(withoutLinks(text));
    } catch (error) {
      await close();
      throw error;
    }
  };
  const openFor = async (text: string) => {
    pager = await open();
    if (!pager) return await writeStraight();
    kept = "";
    await toPager(pager, text);
  };
  const write = async (chunk: string | Uint8Array) => {
    const text = typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    if (hasQuit) throw new ClosedPipe();
    if (isDirect) return await stdout.write(text);
    if (pager) return await toPager(pager, text);
    kept += text;
    if (kept.split("\n").length > stdout.rows) await openFor(kept);
  };
  return {
    stdout: Object.create(stdout, { write: { value: write } }),
    /** Whether a text is not on the screen yet, or the pager has the screen. */
    isHolding: () => pager !== undefined || kept !== "",
    /** Writes the rest, and waits until the user has quit the pager. */
    close,
  };
}
