import { type ApiRequest, targetOf } from "../client/request.ts";
import { respelled } from "../client/respell.ts";
import { askQuestion, type ConsentQuestion } from "../command-support/consent/consent.ts";
import { consentQuestion, limitQuestion } from "../command-support/consent/write-consent.ts";
import { whyNoPrompt } from "../command-support/prompting/prompts.ts";
import { receiptOf, withHint } from "../command-support/receipt.ts";
import { writeJson } from "../contract/json.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { API_PREFIX } from "../contract/wire.ts";
import { RelayctlError } from "../errors.ts";
import { LONGEST_VALIDITY, type Proposal, proposalId, type StoredProposal } from "../proposals/proposal.ts";
import { readSeen } from "../proposals/seen.ts";
import { alreadyUsed, loadProposal, readProposalFile, readUse, useUp } from "../proposals/store.ts";
import type { Session } from "../session/session.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { View } from "../terminal/view.ts";
import { exceededBy, readRisks, readWarnings } from "./api/checks.ts";
import type { Call, CommandFile } from "./command.ts";
import type { CommandSyntax, ParsedFlags } from "./flags/syntax.ts";
import { proposalCard } from "./proposals/card.ts";
import { requestOf } from "./proposals/request.ts";

/** A file says what it likes: only words without a meaning for a shell are shown as a command to run. */
const PLAIN_LINE = /^relayctl(?: [\w@%+=:,./-]+)+$/;

type Flags = ParsedFlags<typeof define>;

/** `relayctl approve ID`: shows a proposal, asks, and sends its request once. */
export const approve: CommandFile<Flags> = {
  summary: "Read a proposal, and send its request once",
  sends: "anything",
  spends: true,
  refuses: {
    dryRun: "the proposal shows its request",
    curl: "the proposal shows its request",
  },
  ends: { ok: "sent", conflict: "used, expired, or changed underneath", not_found: "not found" },
  examples: ["relayctl approve addd96f9", "relayctl approve cap.json", "relayctl approve cap.json --reason agreed"],
  args: [{ name: "<proposal>", description: "The proposal's ID, or its file from `propose --out`" }],
  define,
  async prepare({ common }) {
    refuseTypedConsent(common);
  },
  run,
};

function define(command: CommandSyntax) {
  return command.description(
    "Show a proposal, ask on a terminal, and send exactly its request, once. A proposal that is used, expired, or for another context is refused, and a proposal whose target was changed since, too. A flag cannot approve a proposal.",
  );
}

/** A program could type these flags. @throws RelayctlError declined */
function refuseTypedConsent({ yes, confirm, input }: Call["common"]): void {
  const typed = yes ? "--yes" : confirm !== undefined ? "--confirm" : input === false ? "--no-input" : undefined;
  if (typed === undefined) return;
  throw new RelayctlError("declined", `${typed} does not approve a proposal: somebody agrees on a terminal`, {
    because: ["nothing was sent"],
  });
}

async function run(typed: Call<Flags>): Promise<View> {
  const { app } = typed;
  const [name = ""] = typed.args;
  const stored = /^[0-9a-f]{8}$/.test(name) ? await loadProposal(app, name) : await readProposalFile(app, name);
  const { proposal } = stored;
  const now = readLatest(app);
  await refuseOver(typed, proposal, now());
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
  const approved = await agreed(call, session, stored, { risks, exceeded });
  // Somebody may have taken long to answer.
  await refuseChanged(session, request, proposal);
  await refuseOver(typed, proposal, now());
  const { user } = app.whoRuns();
  const id = proposalId(proposal);
  await useUp(app, id, { time: new Date(app.clock.now()).toISOString(), user, approved });
  session.recordProposal({ id, user: proposal.user, approved });
  const path = targetOf(request).slice(API_PREFIX.length);
  const readAgain = commandLine(...session.flags, "history", "list");
  const result = await withHint(session.client.request(request), readAgain);
  const receipt = `sent proposal ${id} of ${proposal.user} in ${session.name}: ${proposal.method} ${path}`;
  return { kind: "body", body: result.body, receipt: receiptOf(result, [receipt]) };
}

/** Two machines may disagree by this much about the time. */
const SKEW = 300_000;

/** Returns a clock that no change of this machine's time sets back while the question is open. */
function readLatest({ clock }: Call["app"]): () => number {
  const begun = clock.now() - clock.elapsed();
  return () => Math.max(clock.now(), begun + clock.elapsed());
}

/** @throws RelayctlError conflict for a proposal that is used or expired */
async function refuseOver({ app }: Call, proposal: Proposal, now: number): Promise<void> {
  const id = proposalId(proposal);
  const use = await readUse(app, id);
  if (use) throw alreadyUsed(id, use);
  const [made, expires] = [receivedTime(proposal.time), receivedTime(proposal.expires)];
  // What is no time is over, too.
  if (!(now < expires)) throw refusal(proposal, `it expired at ${proposal.expires}`);
  if (!(made < now + SKEW)) throw refusal(proposal, `it is from ${proposal.time}, which is in the future`);
  if (expires - made > LONGEST_VALIDITY)
    throw refusal(proposal, `it would expire at ${proposal.expires}, more than a day after it was made`);
}

function refusal(proposal: Proposal, why: string): RelayctlError {
  return new RelayctlError("conflict", `proposal ${proposalId(proposal)} is refused: ${why}`, {
    because: ["nothing was sent"],
    hint: PLAIN_LINE.test(proposal.command)
      ? proposal.command.replace("relayctl", "relayctl propose --")
      : "relayctl propose --help",
  });
}

/** Returns the call in the context of the proposal, unless another service was typed. */
function inProposedContext(call: Call<Flags>, proposal: Proposal): Call<Flags> {
  const { context, server, demo } = call.common;
  const isElsewhere = context !== undefined || server !== undefined || demo || proposal.context === "demo";
  return isElsewhere || proposal.context === proposal.server ? call : call.inContext(proposal.context);
}

/** @throws RelayctlError conflict if the context is another one, or was changed */
function refuseOther({ name, origin, limits }: Session, proposal: Proposal): void {
  if (name !== proposal.context) throw refusal(proposal, `it is for ${proposal.context}, not for ${name}`);
  if (origin !== proposal.server) throw refusal(proposal, `${name} was ${proposal.server}, and is ${origin} now`);
  if (writeJson(limits) !== proposal.limits) throw refusal(proposal, `the limits of ${name} were changed since`);
}

/** @throws RelayctlError conflict if what the request changes was changed since */
async function refuseChanged({ client }: Session, request: ApiRequest, proposal: Proposal): Promise<void> {
  if ((await readSeen(request, client)) === proposal.seen) return;
  throw refusal(proposal, "what it changes is not as it was when it was proposed");
}

/** A request is rebuilt from its bytes; it has to have the same bytes again, in either spelling. */
function refuseRespelled(request: ApiRequest, proposal: Proposal): void {
  const [body, other] = [request.body, request.isExact ? undefined : respelled(request)].map(
    (value) => value && writeJson(value),
  );
  const isSame = body === proposal.body && other === proposal.respelled;
  if (targetOf(request) === proposal.target && isSame) return;
  throw refusal(proposal, "its request cannot be sent byte for byte");
}

interface Shown {
  risks: readonly string[];
  exceeded: readonly string[];
}

/** Returns who approves. @throws RelayctlError declined */
async function agreed(call: Call, session: Session, { proposal }: StoredProposal, shown: Shown): Promise<string[]> {
  const { app, common } = call;
  const why = whyNoPrompt(app, common);
  if (why !== undefined) {
    throw new RelayctlError("declined", `approving a proposal takes somebody on a terminal, and ${why}`, {
      because: ["nothing was sent"],
    });
  }
  const card = await proposalCard(proposal, app.clock.now());
  await askQuestion(call, questionFor(session, proposal, shown.exceeded), [...card, ...shown.risks, ...shown.exceeded]);
  return [app.whoRuns().user];
}

function questionFor(session: Session, proposal: Proposal, exceeded: readonly string[]): ConsentQuestion {
  const title = `send proposal ${proposalId(proposal)}`;
  const request = requestOf(proposal);
  const act = "approving a proposal";
  const id = Object.values(request.parameters ?? {})[0] ?? session.name;
  return (
    limitQuestion(session, { act, title }, exceeded) ??
    consentQuestion(session, { request, act, title, id, confirms: true }) ?? { question: `${title}?`, act, sort: "yes" }
  );
}
