import type { App } from "../../app.ts";
import { askQuestion } from "../../command-support/consent/consent.ts";
import { whyNoPrompt } from "../../command-support/prompting/prompts.ts";
import type { Approvers, Context } from "../../config/config.ts";
import { shownServer } from "../../config/connection/origin.ts";
import { counted } from "../../contract/decimal.ts";
import { RelayctlError } from "../../errors.ts";
import { countedApprovals } from "../../proposals/approvers.ts";
import { digestOfRules, withRules } from "../../proposals/context-rules.ts";
import { MAX_PROPOSAL_BYTES, proposalId, readStored, type StoredProposal } from "../../proposals/proposal.ts";
import { findSigners, sign } from "../../proposals/signatures.ts";
import { isMadeHere, proposalText, useUp } from "../../proposals/store.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { proposalCard } from "./card.ts";
import { changedSince, readLatest, refusal, refuseOver } from "./refusals.ts";

export interface FoundProposal extends StoredProposal {
  where: string;
}

/** @throws RelayctlError declined without somebody on a terminal */
export function requireTerminal({ app, common }: Call, act: string): void {
  const why = whyNoPrompt(app, common);
  if (why === undefined) return;
  throw new RelayctlError("declined", `${act} takes somebody on a terminal, and ${why}`, {
    because: ["nothing was sent"],
  });
}

/** Adds the signature of the user to a proposal. Sends nothing, and reads nothing of the service. */
export async function signProposal(call: Call, { where, ...stored }: FoundProposal, key: string): Promise<View> {
  const { app } = call;
  const { proposal } = stored;
  const id = proposalId(proposal);
  const now = readLatest(app);
  await refuseOver(app, proposal, now());
  const { user, host } = app.whoRuns();
  if (user === proposal.user && host === proposal.host)
    throw new RelayctlError("declined", `${user} on ${host} proposed ${id}; somebody else signs it`);
  requireTerminal(call, "signing a proposal");
  await askQuestion(
    call,
    { question: `Sign proposal ${id}?`, sort: "yes" },
    await proposalCard(proposal, app.clock.now()),
  );
  await refuseOver(app, proposal, now());
  const signature = await sign(app, proposal, key);
  await app.textFile(where, MAX_PROPOSAL_BYTES).change((text = "") => {
    const { signatures, ...found } = readStored(text, where);
    if (proposalId(found.proposal) !== id) throw changedSince(proposal);
    return proposalText(app, { ...found, signatures: [...signatures, signature] });
  });
  await call.say(`signed proposal ${id}; nothing was sent`, "outcome");
  await call.say(`to send it, where ${proposal.user} made it: ${commandLine("approve", where)}`);
  return { kind: "nothing" };
}

/**
 * Returns the names of those who signed a proposal, if they are enough. It is sent only where it was made, since only there
 * it is known whether it was sent already.
 * @throws RelayctlError declined if signatures are missing
 */
export async function requireSignatures(
  { app }: Pick<Call, "app">,
  approvers: Approvers,
  { where, ...stored }: FoundProposal,
): Promise<string[]> {
  const { proposal } = stored;
  const id = proposalId(proposal);
  const counts = countedApprovals(approvers, await findSigners(app, approvers, stored), proposal);
  const { needed } = approvers;
  if (counts.length < needed) {
    const has = counts.length === 0 ? "none" : counts.join(", ");
    throw new RelayctlError("declined", `proposal ${id} needs ${counted(needed, "signature")} and has: ${has}`, {
      because: [`signatures of ${proposal.user}, who proposed it, do not count`, "nothing was sent"],
      hint: commandLine("approve", where, "--sign"),
    });
  }
  if (await isMadeHere(app, id)) return counts;
  throw refusal(proposal, `${proposal.user} made it on ${proposal.host}, and only there it can be sent once`);
}

export async function useUpNow(app: App, id: string, approved: readonly string[]): Promise<void> {
  const { user } = app.whoRuns();
  await useUp(app, id, { time: new Date(app.clock.now()).toISOString(), user, approved });
}

export async function changeRules(call: Call, found: FoundProposal): Promise<View> {
  const { app } = call;
  const { proposal } = found;
  const [id, now] = [proposalId(proposal), readLatest(app)];
  const { contexts } = await app.config.read();
  const context = Object.hasOwn(contexts, proposal.context) ? contexts[proposal.context] : undefined;
  if (!context?.approvers || shownServer(context.server) !== proposal.server)
    throw refusal(proposal, `${proposal.context} is not a context of ${proposal.server} with approvers`);
  const changed = (before: Context | undefined): Context => {
    if (!before || digestOfRules(before) !== proposal.seen) throw changedSince(proposal);
    return withRules(before, proposal);
  };
  changed(context);
  const approved = await requireSignatures(call, context.approvers, found);
  await refuseOver(app, proposal, now());
  await useUpNow(app, id, approved);
  await app.config.change((config) => {
    const after = changed(config.contexts[proposal.context]);
    return { ...config, contexts: { ...config.contexts, [proposal.context]: after } };
  });
  await call.say(`changed the rules of ${proposal.context}, signed by ${approved.join(", ")}`, "outcome");
  return { kind: "nothing" };
}
