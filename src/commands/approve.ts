import { needsSignature } from "../client/needs-signature.ts";
import { type ApiRequest, targetOf } from "../client/request.ts";
import {
  askQuestion,
  type ConsentQuestion,
  consentQuestion,
  limitQuestion,
} from "../command-support/consent/consent.ts";
import { writeLines } from "../command-support/prepared-write.ts";
import { receiptOf, withHint } from "../command-support/receipt.ts";
import { variable } from "../config/environment.ts";
import { API_PREFIX } from "../contract/wire.ts";
import { unsent } from "../errors.ts";
import { changesContext, loadProposal, type Proposal, proposalId, readProposalFile } from "../proposals/proposal.ts";
import type { Session } from "../session/session.ts";
import { commandLine } from "../shell/shell-words.ts";
import { exceededBy, readRisks, readWarnings } from "./api.ts";
import { type Call, createCommand } from "./command.ts";
import {
  changeRules,
  type FoundProposal,
  readLatest,
  refusal,
  refuseChanged,
  refuseOther,
  refuseOver,
  refuseRespelled,
  requireSignatures,
  requireTerminal,
  signProposal,
  useUpNow,
} from "./proposals/approval.ts";
import { proposalCard, requestOf } from "./proposals/card.ts";

const IS_ID = /^[0-9a-f]{8}$/;

export const approve = createCommand({
  summary: "Read a proposal, and send its request once",
  sends: "anything",
  spends: true,
  refuses: {
    dryRun: "the proposal shows its request",
    curl: "the proposal shows its request",
  },
  ends: { ok: "sent, or signed", conflict: "used, expired, or changed underneath", not_found: "not found" },
  examples: ["relayctl approve addd96f9", "relayctl approve cap.json", "relayctl approve cap.json --sign"],
  args: [{ name: "<proposal>", description: "The proposal's ID, or its file from `propose --out`" }],
  description:
    "Show a proposal, ask on a terminal, and send exactly its request, once. A proposal that is used, expired, or for another context is refused, and a proposal whose target was changed since, too. A flag cannot approve a proposal. In a context with approvers, their signatures replace the question and you need no terminal, unless the limits of the context are exceeded.",
  define: (command) =>
    command
      .optionsGroup("Signature")
      .option("--sign", "Add your signature to the proposal with ssh-keygen, and send nothing")
      .option("--identity <file>", "SSH key to sign with (default: ~/.ssh/id_ed25519)"),
  async prepare({ common, flags, args }, problems) {
    refuseTypedConsent(common);
    if (flags.sign && IS_ID.test(args[0] ?? "")) problems.add("--sign", "needs the file from `propose --out`", args[0]);
    if (flags.identity !== undefined && !flags.sign) problems.add("--identity", "needs --sign");
  },
  async run(typed) {
    const { app } = typed;
    const [name = ""] = typed.args;
    const stored = IS_ID.test(name) ? await loadProposal(app, name) : await readProposalFile(app, name);
    const found = { ...stored, where: name };
    const { proposal } = stored;
    const { sign, identity = `${variable(app.env, "HOME") ?? ""}/.ssh/id_ed25519` } = typed.flags;
    if (sign) return await signProposal(typed, found, identity);
    const now = readLatest(app);
    await refuseOver(app, proposal, now());
    if (changesContext(proposal)) return await changeRules(typed, found);
    const call = inProposedContext(typed, proposal);
    const session = await call.session();
    refuseOther(session, proposal);
    const request = requestOf(proposal);
    refuseRespelled(request, proposal);
    if (request.operation.kind === "read" && !request.operation.signs) throw refusal(proposal, "it only reads");
    await session.requireReason();
    await refuseChanged(session, request, proposal);
    const risks = [...(await readWarnings(call, request)), ...(await readRisks(call, request))];
    const exceeded = await exceededBy(call, request);
    const approved = await agreed(call, session, found, { request, risks, exceeded });
    // Somebody may have taken long to answer.
    await refuseChanged(session, request, proposal);
    await refuseOver(app, proposal, now());
    const id = proposalId(proposal);
    await useUpNow(app, id, approved);
    session.recordProposal({ id, user: proposal.user, approved });
    const path = targetOf(request).slice(API_PREFIX.length);
    const readAgain = commandLine(...session.flags, "history", "list");
    const result = await withHint(session.client.request({ ...request, isSigned: true }), readAgain);
    const receipt = `sent proposal ${id} of ${proposal.user} in ${session.name}: ${proposal.method} ${path}`;
    return { kind: "body", body: result.body, receipt: receiptOf(result, [receipt]) };
  },
});

/** A program could type these flags. @throws RelayctlError declined */
function refuseTypedConsent({ yes, confirm, input }: Call["common"]): void {
  const typed = yes ? "--yes" : confirm !== undefined ? "--confirm" : input === false ? "--no-input" : undefined;
  if (typed === undefined) return;
  throw unsent("declined", `${typed} does not approve a proposal: somebody agrees on a terminal`);
}

function inProposedContext<T>(call: Call<T>, proposal: Proposal): Call<T> {
  const { context, server, demo } = call.common;
  const isElsewhere = context !== undefined || server !== undefined || demo || proposal.context === "demo";
  return isElsewhere || proposal.context === proposal.server ? call : call.inContext(proposal.context);
}

interface Shown {
  request: ApiRequest;
  risks: readonly string[];
  exceeded: readonly string[];
}

/**
 * Returns who approves: those who signed, without a question, unless the limits are exceeded, which no signer was shown.
 * @throws RelayctlError declined
 */
async function agreed(call: Call, session: Session, found: FoundProposal, shown: Shown): Promise<string[]> {
  const { app } = call;
  const { proposal } = found;
  const { approvers } = session;
  const { request, risks, exceeded } = shown;
  const card = [...(await proposalCard(proposal, app.clock.now())), ...risks, ...exceeded];
  const isSigned = approvers !== undefined && needsSignature(request);
  const signed = isSigned ? await requireSignatures(call, approvers, found) : [app.whoRuns().user];
  if (isSigned && exceeded.length === 0) await writeLines(call, card);
  else {
    requireTerminal(call, "approving a proposal");
    await askQuestion(call, questionFor(session, found, shown), card);
  }
  return signed;
}

function questionFor(session: Session, { proposal }: FoundProposal, { request, exceeded }: Shown): ConsentQuestion {
  const title = `send proposal ${proposalId(proposal)}`;
  const act = "approving a proposal";
  const id = Object.values(request.parameters ?? {})[0] ?? session.name;
  return (
    limitQuestion(session, { act, title }, exceeded) ??
    consentQuestion(session, { request, act, title, id, confirms: true }) ?? { question: `${title}?`, act, sort: "yes" }
  );
}
