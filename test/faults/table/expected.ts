import type { Dialect } from "../server/service/dialect.ts";
import { type Command, isProvable } from "./command.ts";
import type { Fault } from "./fault.ts";

export interface Circumstances {
  dialect: Dialect;
  routes: boolean;
  retries: number;
  /** Whether the request arrived, and whether the write was applied, before the command ended. */
  isSent: boolean;
  applied: boolean;
}

/** The exit codes that promises 7.1 allows; undefined if more than the table decides. */
export function expectedCodes(command: Command, fault: Fault, facts: Circumstances): readonly number[] | undefined {
  const codes = codesOfOne(command, fault, facts);
  if (command.alerts) return codes?.map((code) => (code === 0 ? 13 : code));
  return command.sendsRows ? codes?.map((code) => ofRows(code, command.sendsRows === "rest")) : codes;
}

function ofRows(code: number, isRest: boolean): number {
  const isRefusal = isRest ? code >= 4 && code <= 10 : code === 7 || code === 10;
  return isRefusal ? 12 : code;
}

function codesOfOne(command: Command, fault: Fault, facts: Circumstances): readonly number[] | undefined {
  const honest = command.honest?.(facts.dialect, facts.routes) ?? 0;
  // After a refusal a second response makes it doubtful which of the two was meant. Of two spellings the first may be refused.
  const mayBeRefused = honest !== 0 || (command.bodies?.length ?? 0) > 1;
  if (fault.row === "fine") return fault.surplus && mayBeRefused ? [honest, 11] : [honest];
  if (walksAfter(command, fault) || speaksOfHonesty(command, fault, facts)) return undefined;
  if (fault.row === "refused") return [fault.code];
  if (fault.once && mayGoOn(command, fault) && facts.retries > 0) return [honest];
  if (fault.row === "limited") return [fault.code];
  if (fault.row === "differs") return differs(command, fault);
  if (command.kind === "read") return afterRead(fault, facts);
  return afterLoss(command, fault, facts);
}

/** A retry can leave over a connection that the server is about to close. */
function afterRead({ code }: Fault, { retries }: Circumstances): readonly number[] {
  return retries > 0 && code === 9 ? [9, 10] : [code];
}

/** A 404 can mean an unknown route: the list, or the write itself, has the last word. */
function walksAfter({ kind, list }: Command, { row, code, name }: Fault): boolean {
  return kind === "read" && !list && row === "refused" && (/^40[45]/.test(name) || code === 5);
}

/** A response that is already a refusal can't be made into anything else. */
function speaksOfHonesty(command: Command, { steps, row }: Fault, { dialect, routes }: Circumstances): boolean {
  const refuses =
    command.kind === "read" ? !command.list && !routes : ![0, 14].includes(command.honest?.(dialect, routes) ?? 0);
  return row !== "fine" && refuses && steps.some((step) => step.do === "answer");
}

function mayGoOn({ kind }: Command, { row }: Fault): boolean {
  return kind === "read" || row === "limited";
}

function differs({ kind, list, request, mute }: Command, { name }: Fault): readonly number[] | undefined {
  if (list || kind === "remove") return undefined;
  // What is created has an id that nobody else could have named.
  if (name !== "another id" || request.method === "POST") return undefined;
  if (kind === "read") return [mute ? 0 : 9];
  return [14];
}

/** A read of the service proves a yes or nothing. A short time for one attempt may end a read before the write, too. */
function afterLoss(command: Command, fault: Fault, facts: Circumstances): readonly number[] {
  const { dialect, routes, isSent, applied } = facts;
  if (fault.onAccept) return [10, 11];
  // From another process the greeting may arrive after the request has left.
  if (fault.greeting !== undefined) return isSent ? [0, 11] : [10];
  const early = fault.slow && command.readsFirst ? [10] : [];
  if (!applied || !isProvable(command, dialect, routes)) return [11, ...early];
  return fault.slow || fault.name.includes("late") ? [0, 11, ...early] : [0];
}
