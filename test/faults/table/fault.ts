import { reply } from "../../helpers/service/reply.ts";
import { rawReply } from "../server/reply.ts";
import type { Edit, Step } from "../server/script.ts";

/** The rows of the table of promises 7.1, and what succeeds in spite of all. */
type Row = "fine" | "refused" | "limited" | "lost" | "unreadable" | "differs";

export interface Fault {
  name: string;
  row: Row;
  /** How a read ends; for a refusal, how everything ends. */
  code: number;
  steps: readonly Step[];
  /** Only happens to the first request; the next one is treated honestly. */
  once?: true;
  /** Happens to a connection before anything of it is read. */
  onAccept?: true;
  /** Sent to each connection before a request comes over it. */
  greeting?: string;
  /** More comes than was asked for. */
  surplus?: true;
  /** Ends when the time for one attempt is over. */
  slow?: true;
  only?: "reads" | "writes";
  /** A complete response that means nothing unless it is validated: of another shape, or invalid JSON. */
  validated?: "by its shape" | "by anyone";
}

export const READ: Step = { do: "read", bytes: "all" };
export const APPLY: Step = { do: "apply" };
export const HANG: Step = { do: "hang" };
export const FIN: Step = { do: "fin" };
export const RST: Step = { do: "rst" };

export function answer(edit: Edit): Step {
  return { do: "answer", edit };
}

export function send(text: string): Step {
  return { do: "send", text };
}

/** A complete response with this body. */
export function sendReply(status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Step {
  return send(rawReply(reply(status, body, headers)));
}

/** The same fault after the request was applied and before, which look the same. A read only has one of them. */
export function appliedOrNot(fault: Fault): Fault[] {
  const rest = fault.steps.filter((step) => step.do !== "read");
  return [
    { ...fault, name: `${fault.name}, not applied`, steps: [READ, ...rest] },
    { ...fault, name: `${fault.name}, applied`, steps: [READ, APPLY, ...rest], only: "writes" },
  ];
}

/** The same, to the first request only. */
export function once(fault: Fault): Fault {
  return { ...fault, name: `${fault.name}, once`, once: true };
}
