import type { App } from "../../app.ts";
import { type ApiRequest, targetOf } from "../../client/request.ts";
import { respelled } from "../../client/respell.ts";
import { writeJson } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { RelayctlError } from "../../errors.ts";
import { LONGEST_VALIDITY, type Proposal, proposalId } from "../../proposals/proposal.ts";
import { readSeen } from "../../proposals/seen.ts";
import { alreadyUsed, readUse, type Use } from "../../proposals/store.ts";
import type { Session } from "../../session/session.ts";

/** A file says what it likes: only words without a meaning for a shell are shown as a command to run. */
const PLAIN_LINE = /^relayctl(?: [\w@%+=:,./-]+)+$/;

/** Two machines may disagree by this much about the time. */
const SKEW = 300_000;

/** Returns a clock that no change of this machine's time sets back while a question is open. */
export function readLatest({ clock }: Pick<App, "clock">): () => number {
  const begun = clock.now() - clock.elapsed();
  return () => Math.max(clock.now(), begun + clock.elapsed());
}

/** @throws RelayctlError conflict for a proposal that is used or expired */
export async function refuseOver(app: Pick<App, "proposalFile">, proposal: Proposal, now: number): Promise<void> {
  refuseOverAt(proposal, await readUse(app, proposalId(proposal)), now);
}

export function refuseOverAt(proposal: Proposal, use: Use | undefined, now: number): void {
  if (use) throw alreadyUsed(proposalId(proposal), use);
  const [made, expires] = [receivedTime(proposal.time), receivedTime(proposal.expires)];
  // What is no time is over, too.
  if (!(now < expires)) throw refusal(proposal, `it expired at ${proposal.expires}`);
  if (!(made < now + SKEW)) throw refusal(proposal, `it is from ${proposal.time}, which is in the future`);
  if (expires - made > LONGEST_VALIDITY)
    throw refusal(proposal, `it would expire at ${proposal.expires}, more than a day after it was made`);
}

export function refusal(proposal: Proposal, why: string): RelayctlError {
  return new RelayctlError("conflict", `proposal ${proposalId(proposal)} is refused: ${why}`, {
    because: ["nothing was sent"],
    hint: PLAIN_LINE.test(proposal.command)
      ? proposal.command.replace("relayctl", "relayctl propose --")
      : "relayctl propose --help",
  });
}

/** @throws RelayctlError conflict if the context is another one, or was changed */
export function refuseOther({ name, origin, limits }: Session, proposal: Proposal): void {
  if (name !== proposal.context) throw refusal(proposal, `it is for ${proposal.context}, not for ${name}`);
  if (origin !== proposal.server) throw refusal(proposal, `${name} was ${proposal.server}, and is ${origin} now`);
  if (writeJson(limits) !== proposal.limits) throw refusal(proposal, `the limits of ${name} were changed since`);
}

/** @throws RelayctlError conflict if what the request changes was changed since */
export async function refuseChanged({ client }: Session, request: ApiRequest, proposal: Proposal): Promise<void> {
  if ((await readSeen(request, client)) !== proposal.seen) throw changedSince(proposal);
}

export function changedSince(proposal: Proposal): RelayctlError {
  return refusal(proposal, "what it changes is not as it was when it was proposed");
}

/** A request is rebuilt from its bytes; it has to have the same bytes again, in either spelling. */
export function refuseRespelled(request: ApiRequest, proposal: Proposal): void {
  const [body, other] = [request.body, request.isExact ? undefined : respelled(request)].map(
    (value) => value && writeJson(value),
  );
  const isSame = body === proposal.body && other === proposal.respelled;
  if (targetOf(request) === proposal.target && isSame) return;
  throw refusal(proposal, "its request cannot be sent byte for byte");
}
