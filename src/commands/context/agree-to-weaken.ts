import type { Call } from "../../command-support/call.ts";
import { askConsent, type ConsentQuestion } from "../../command-support/consent/consent.ts";
import type { Context } from "../../config/config.ts";
import { shownServer } from "../../config/connection/origin.ts";
import { RelayctlError } from "../../errors.ts";
import { looserLimits } from "../../limits/limit-change.ts";
import { refuseUnsignedChange } from "./approver-flags.ts";

/**
 * Prompts before a change that leaves the server of a protected or read-only context less guarded: read-only mode or the protection
 * ends, the context moves to another server, or a rule for its writes is loosened.
 * @returns a function that refuses the change if, when it is written, it needs consent that was not requested
 * @throws RelayctlError declined
 */
export async function agreeToWeaken(
  call: Call,
  name: string,
  before: Context | undefined,
  after: Context,
): Promise<(before: Context | undefined, after: Context) => void> {
  refuseUnsigned(name, before, after);
  const asked = new Set<string>();
  for (const question of weakenings(name, before, after)) {
    await askConsent(call, question);
    asked.add(question.question);
  }
  return (now, then) => {
    refuseUnsigned(name, now, then);
    if (weakenings(name, now, then).every(({ question }) => asked.has(question))) return;
    throw new RelayctlError("conflict", `context ${name} was changed by another program; nothing was changed`);
  };
}

/** In a context with approvers every loosening needs them, as in a protected one, where it needs a yes. @throws RelayctlError declined */
function refuseUnsigned(name: string, before: Context | undefined, after: Context): void {
  const guarded = before && { ...before, protected: true };
  const then = before?.protected ? after : { ...after, protected: true };
  refuseUnsignedChange(name, before, after, weakenings(name, guarded, then).length > 0);
}

function weakenings(name: string, before: Context | undefined, after: Context): ConsentQuestion[] {
  if (!before?.read_only || after.read_only) return protectedWeakenings(name, before, after);
  const question = `Allow writes in read-only context ${name} (${shownServer(before.server)})?`;
  return [{ question, act: "leaving read-only mode", sort: "yes" }, ...protectedWeakenings(name, before, after)];
}

function protectedWeakenings(name: string, before: Context | undefined, after: Context): ConsentQuestion[] {
  if (!before?.protected) return [];
  const from = shownServer(before.server);
  if (!after.protected) {
    const question = `Remove the protection of context ${name} (${from})?`;
    return [{ question, act: "removing a protection", sort: "yes" }];
  }
  return [...moves(name, from, shownServer(after.server)), ...looserRules(name, before, after)];
}

function moves(name: string, from: string, to: string): ConsentQuestion[] {
  if (from === to) return [];
  const question = `Move protected context ${name} from ${from} to ${to} and forget its token?`;
  return [{ question, act: "moving a protected context", sort: "yes" }];
}

function looserRules(name: string, before: Context, after: Context): ConsentQuestion[] {
  const rules: readonly [boolean, string][] = [
    [before.require_reason === true && after.require_reason !== true, "requiring a reason"],
    [before.journal === "required" && after.journal !== "required", "requiring the journal"],
  ];
  const stopped = rules
    .filter(([isLoosened]) => isLoosened)
    .map(([, rule]) => ({
      question: `Stop ${rule} for each write in protected context ${name}?`,
      act: "loosening a protected context",
      sort: "yes" as const,
    }));
  const limits = looserLimits(before, after);
  if (limits.length === 0) return stopped;
  const question = `Loosen the limits of protected context ${name}: ${limits.join("; ")}?`;
  return [...stopped, { question, act: "loosening a protected context", sort: "yes" }];
}
