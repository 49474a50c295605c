import type { App } from "../app.ts";
import { needsSignature } from "../client/needs-signature.ts";
import { type ApiRequest, requestTarget } from "../client/request.ts";
import { respellRequest } from "../client/respell.ts";
import {
  askConsentQuestion,
  type ConsentQuestion,
  consentEffectWords,
  consentQuestion,
  limitConsentQuestion,
} from "../command-support/consent/consent.ts";
import { writeLines, writeNotes } from "../command-support/prepared-write.ts";
import { whyNoPrompt } from "../command-support/prompting/prompts.ts";
import { bodyText } from "../command-support/request-body/request-text.ts";
import type { Approvers, Context } from "../config/config.ts";
import { shownOrigin } from "../config/connection/origin.ts";
import { readEnv } from "../config/environment.ts";
import { pluralize } from "../contract/decimal.ts";
import { parseJson, writeJson } from "../contract/json.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { API_PREFIX, type Method } from "../contract/wire.ts";
import { RelayctlError, rescue, unsentError } from "../errors.ts";
import type { Message } from "../message.ts";
import { countApprovals } from "../proposals/approvers.ts";
import { contextWithProposedRules, proposalRulesDigest, readProposalSeen } from "../proposals/make-proposal.ts";
import {
  isProposalMadeHere,
  LONGEST_VALIDITY,
  loadProposal,
  MAX_PROPOSAL_BYTES,
  type Proposal,
  parseProposal,
  proposalAlreadyUsed,
  proposalChangesContext,
  proposalId,
  proposalText,
  readProposalUse,
  type StoredProposal,
  type Use,
  useUpProposal,
} from "../proposals/proposal.ts";
import { createProposalSignature, findSigners } from "../proposals/signatures.ts";
import { isDemoTarget } from "../session/demo-target.ts";
import type { Session } from "../session/session.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { View } from "../terminal/view.ts";
import { apiLimitsExceeded, apiOperation, readApiRisks, readApiWarnings } from "./api.ts";
import { type Call, createCommand } from "./command.ts";

/** Returns the request of a proposal, which is only sent in its own spellings. */
function proposedRequest({ method, target, body, respelled }: Proposal): ApiRequest {
  const { pathname, searchParams } = new URL(target, "http://localhost");
  const found = apiOperation(method as Method, pathname.slice(API_PREFIX.length));
  const query = [...searchParams].length === 0 ? {} : { query: Object.fromEntries(searchParams) };
  return {
    ...{ ...found, ...query },
    ...(body !== undefined && { body: parseJson(body) }),
    ...(respelled === undefined && { isExact: true }),
  };
}

export async function approvalCard(proposal: Proposal, now: number): Promise<string[]> {
  const { body, command, context, expires, host, method, respelled, server, target, user } = proposal;
  const left = Math.ceil((receivedTime(expires) - now) / 60_000);
  return [
    `proposal ${proposalId(proposal)} by ${user} on ${host}: ${left > 0 ? `expires in ${pluralize(left, "minute")}` : "expired"}`,
    `  ${method} ${target}`,
    ...(body === undefined ? [] : [`  ${bodyText(parseJson(body))}`]),
    ...(respelled === undefined
      ? []
      : [`  or, if the service rejects that spelling: ${bodyText(parseJson(respelled))}`]),
    `  to ${context === server ? server : `${context} (${server})`}`,
    `  proposed as: ${command}`,
    ...(proposalChangesContext(proposal)
      ? [`these become all rules of ${context}; a rule that is not named ends`]
      : consentEffectWords(proposedRequest(proposal))
    ).map((line) => `  ${line}`),
  ];
}

/** Only words without a meaning for a shell are shown as a command to run, since a file may contain anything. */
const PLAIN_LINE = /^relayctl(?: [\w@%+=:,./-]+)+$/;

/** Clocks of two machines may differ by this much. */
const SKEW = 300_000;

/** Returns a clock that never goes back while a question is open. */
function createClock({ clock }: Pick<App, "clock">): () => number {
  const begun = clock.now() - clock.elapsed();
  return () => Math.max(clock.now(), begun + clock.elapsed());
}

async function refuseEnded(app: Pick<App, "proposalFile">, proposal: Proposal, now: number): Promise<void> {
  refuseApproval(proposal, await readProposalUse(app, proposalId(proposal)), now);
}

export function refuseApproval(proposal: Proposal, use: Use | undefined, now: number): void {
  if (use) throw proposalAlreadyUsed(proposal, use);
  const [made, expires] = [receivedTime(proposal.time), receivedTime(proposal.expires)];
  // An invalid time counts as past.
  if (!(now < expires)) throw approvalRefusal(proposal, `it expired at ${proposal.expires}`);
  if (!(made < now + SKEW)) throw approvalRefusal(proposal, `it is from ${proposal.time}, which is in the future`);
  if (expires - made > LONGEST_VALIDITY)
    throw approvalRefusal(proposal, `it would expire at ${proposal.expires}, more than a day after it was made`);
}

function approvalRefusal(proposal: Proposal, why: string): RelayctlError {
  return unsentError("conflict", `proposal ${proposalId(proposal)} is refused: ${why}`, {
    hint: proposeAgain(proposal),
  });
}

function proposeAgain({ command }: Proposal): string {
  return PLAIN_LINE.test(command) ? command.replace("relayctl", "relayctl propose --") : "relayctl propose --help";
}

function refuseOther({ name, origin, limits }: Session, proposal: Proposal): void {
  if (name !== proposal.context) throw approvalRefusal(proposal, `it is for ${proposal.context}, not for ${name}`);
  if (origin !== proposal.server)
    throw approvalRefusal(proposal, `${name} was ${proposal.server}, and is ${origin} now`);
  if (writeJson(limits) !== proposal.limits)
    throw approvalRefusal(proposal, `the limits of ${name} were changed since`);
}

/** Returns a proposal's context as it is configured now. */
async function readContext({ config }: Pick<App, "config">, proposal: Proposal): Promise<string> {
  const { context, server } = proposal;
  if (context === server || isDemoTarget(proposal)) return "";
  const { contexts } = await config.read();
  return writeJson(Object.entries(contexts).filter(([name]) => name === context));
}

async function refuseChanged({ client }: Session, request: ApiRequest, proposal: Proposal): Promise<void> {
  if ((await readProposalSeen(request, client)) !== proposal.seen) throw changedSince(proposal);
}

function changedSince(proposal: Proposal): RelayctlError {
  return approvalRefusal(proposal, "what it changes is not as it was when it was proposed");
}

/** A request that is rebuilt from its bytes has to have the same bytes, in either spelling. */
function refuseRespelled(request: ApiRequest, proposal: Proposal): void {
  const [body, other] = [request.body, request.isExact ? undefined : respellRequest(request)].map(
    (value) => value && writeJson(value),
  );
  const isSame = body === proposal.body && other === proposal.respelled;
  if (requestTarget(request) === proposal.target && isSame) return;
  throw approvalRefusal(proposal, "its request cannot be sent byte for byte");
}

interface FoundProposal extends StoredProposal {
  where: string;
}

function requireTerminal({ app, common }: Call, act: string): void {
  const why = whyNoPrompt(app, common);
  if (why === undefined) return;
  throw unsentError("declined", `${act} takes somebody on a terminal, and ${why}`);
}

/** Adds the user's signature to a proposal. Doesn't contact the service. */
async function signProposal(call: Call, { where, ...stored }: FoundProposal, key: string): Promise<View> {
  const { app } = call;
  const { proposal } = stored;
  const id = proposalId(proposal);
  const now = createClock(app);
  await refuseEnded(app, proposal, now());
  const { user, host } = app.whoRuns();
  if (user === proposal.user && host === proposal.host)
    throw new RelayctlError("declined", `${user} on ${host} proposed ${id}; somebody else signs it`);
  requireTerminal(call, "signing a proposal");
  await askConsentQuestion(
    call,
    { question: `Sign proposal ${id}?`, sort: "yes" },
    await approvalCard(proposal, app.clock.now()),
  );
  await refuseEnded(app, proposal, now());
  const signature = await createProposalSignature(app, proposal, key);
  await app.textFile(where, MAX_PROPOSAL_BYTES).change((text = "") => {
    const { signatures, ...found } = parseProposal(text, where);
    if (proposalId(found.proposal) !== id) throw changedSince(proposal);
    return proposalText(app, { ...found, signatures: [...signatures, signature] });
  });
  await call.say({ done: `signed proposal ${id}; nothing was sent` });
  await call.say(`to send it, where ${proposal.user} made it: ${commandLine("approve", where)}`);
  return { kind: "nothing" };
}

/** A proposal is only sent from where it was made, which knows whether it was sent. @throws RelayctlError declined */
async function requireSignatures(
  { app }: Pick<Call, "app">,
  approvers: Approvers,
  { where, ...stored }: FoundProposal,
): Promise<string[]> {
  const { proposal } = stored;
  const id = proposalId(proposal);
  const counts = countApprovals(approvers, await findSigners(app, approvers, stored), proposal);
  const { needed } = approvers;
  if (counts.length < needed) {
    const has = counts.length === 0 ? "none" : counts.join(", ");
    throw unsentError("declined", `proposal ${id} needs ${pluralize(needed, "signature")} and has: ${has}`, {
      because: [`signatures of ${proposal.user}, who proposed it, do not count`],
      hint: commandLine("approve", where, "--sign"),
    });
  }
  if (await isProposalMadeHere(app, proposal)) return counts;
  throw approvalRefusal(proposal, `${proposal.user} made it on ${proposal.host}, and only there it can be sent once`);
}

async function changeRules(call: Call, found: FoundProposal): Promise<View> {
  const { app } = call;
  const { proposal } = found;
  const now = createClock(app);
  const { contexts } = await app.config.read();
  const context = Object.hasOwn(contexts, proposal.context) ? contexts[proposal.context] : undefined;
  if (!context?.approvers || shownOrigin(context.server) !== proposal.server)
    throw approvalRefusal(proposal, `${proposal.context} is not a context of ${proposal.server} with approvers`);
  const changed = (before: Context | undefined): Context => {
    if (!before || proposalRulesDigest(before) !== proposal.seen) throw changedSince(proposal);
    return contextWithProposedRules(before, proposal);
  };
  changed(context);
  const approved = await requireSignatures(call, context.approvers, found);
  await refuseEnded(app, proposal, now());
  await useUpProposal(app, proposal, approved);
  await app.config.change((config) => {
    const after = changed(config.contexts[proposal.context]);
    return { ...config, contexts: { ...config.contexts, [proposal.context]: after } };
  });
  await call.say({ done: `changed the rules of ${proposal.context}, signed by ${approved.join(", ")}` });
  return { kind: "nothing" };
}

const IS_ID = /^[0-9a-f]{8}$/;

async function readProposal({ files }: Pick<App, "files">, path: string): Promise<StoredProposal> {
  const found = files
    .read(path, MAX_PROPOSAL_BYTES)
    .then((bytes) => parseProposal(new TextDecoder().decode(bytes), path));
  return await rescue(found, (error) => {
    throw error.with({ hint: "relayctl proposals list" });
  });
}

export const approve = createCommand({
  summary: "Read a proposal, and send its request once",
  sends: "anything",
  spends: true,
  refuses: { dryRun: "the proposal shows its request", curl: "the proposal shows its request" },
  ends: { ok: "sent, or signed", conflict: "used, expired, or its target changed", not_found: "not found" },
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
    if (args[0] === "") problems.add("<proposal>", "is empty");
    if (flags.sign && IS_ID.test(args[0] ?? "")) problems.add("--sign", "needs the file from `propose --out`", args[0]);
    if (flags.identity !== undefined && !flags.sign) problems.add("--identity", "needs --sign");
  },
  async run(typed) {
    const { app } = typed;
    const [name = ""] = typed.args;
    const stored = IS_ID.test(name) ? await loadProposal(app, name) : await readProposal(app, name);
    const found = { ...stored, where: IS_ID.test(name) ? app.proposalFile(`${name}.json`).path : name };
    const { proposal } = stored;
    const { sign, identity = `${readEnv(app.env, "HOME") ?? ""}/.ssh/id_ed25519` } = typed.flags;
    if (sign) return await signProposal(typed, found, identity);
    const now = createClock(app);
    await refuseEnded(app, proposal, now());
    if (proposalChangesContext(proposal)) return await changeRules(typed, found);
    const call = inProposedContext(typed, proposal);
    const configured = await readContext(app, proposal);
    const session = await call.session();
    refuseOther(session, proposal);
    const request = proposedRequest(proposal);
    refuseRespelled(request, proposal);
    if (request.operation.kind === "read" && !request.operation.signs) throw approvalRefusal(proposal, "it only reads");
    await session.requireReason();
    await refuseChanged(session, request, proposal);
    const risks = [...(await readApiWarnings(call, request)), ...(await readApiRisks(call, request))];
    const exceeded = await apiLimitsExceeded(call, request);
    const approved = await agreeToProposal(call, session, found, { request, risks, exceeded });
    // The approval may have taken long.
    if ((await readContext(app, proposal)) !== configured)
      throw approvalRefusal(proposal, `the context ${session.name} was changed since`);
    await refuseChanged(session, request, proposal);
    await refuseEnded(app, proposal, now());
    const id = proposalId(proposal);
    await useUpProposal(app, proposal, approved);
    session.recordProposal({ id, user: proposal.user, approved });
    const path = requestTarget(request).slice(API_PREFIX.length);
    const readAgain = commandLine(...session.flags, "history", "list");
    const result = await rescue(session.client.request({ ...request, isSigned: true }), (error) => {
      // The proposal is used up, even if nothing was applied.
      throw error.with({ hint: error.applied === "no" ? proposeAgain(proposal) : readAgain });
    });
    const receipt = `sent proposal ${id} of ${proposal.user} in ${session.name}: ${proposal.method} ${path}`;
    // The response to a creation or a payment has its ID, and that to a change only repeats the card.
    const { kind } = request.operation;
    const shown = { body: result.body, ...((kind === "patch" || kind === "remove") && { isChange: true as const }) };
    return { kind: "body", ...shown, receipt: [...writeNotes(result), { done: receipt }] };
  },
});

/** A program could type these flags. @throws RelayctlError declined */
function refuseTypedConsent({ yes, confirm, input }: Call["common"]): void {
  const typed = yes ? "--yes" : confirm !== undefined ? "--confirm" : input === false ? "--no-input" : undefined;
  if (typed === undefined) return;
  throw unsentError("declined", `${typed} does not approve a proposal: somebody agrees on a terminal`);
}

function inProposedContext<T>(call: Call<T>, proposal: Proposal): Call<T> {
  const { context, server, demo } = call.common;
  const isElsewhere = context !== undefined || server !== undefined || demo || isDemoTarget(proposal);
  return isElsewhere || proposal.context === proposal.server ? call : call.inContext(proposal.context);
}

interface Shown {
  request: ApiRequest;
  risks: readonly Message[];
  exceeded: readonly string[];
}

const MADE_ELSEWHERE = "it may have been sent where it was made: approve it in one place only";

/** Returns who approves. Signers need no question unless the limits are exceeded. @throws RelayctlError declined */
async function agreeToProposal(call: Call, session: Session, found: FoundProposal, shown: Shown): Promise<string[]> {
  const { app } = call;
  const { proposal } = found;
  const { approvers } = session;
  const { request, risks, exceeded } = shown;
  const copied = (await isProposalMadeHere(app, proposal)) ? [] : [{ warning: MADE_ELSEWHERE }];
  const card = [...(await approvalCard(proposal, app.clock.now())), ...copied, ...risks, ...exceeded];
  const isSigned = approvers !== undefined && needsSignature(request);
  const signed = isSigned ? await requireSignatures(call, approvers, found) : [app.whoRuns().user];
  if (isSigned && exceeded.length === 0) {
    await writeLines(call, card);
    return signed;
  }
  const act = "approving a proposal";
  requireTerminal(call, act);
  const title = `send proposal ${proposalId(proposal)}`;
  const id = Object.values(request.parameters ?? {})[0] ?? session.name;
  const question: ConsentQuestion = limitConsentQuestion(session, { act, title }, exceeded) ??
    consentQuestion(session, { request, act, title, id, confirms: true }) ?? {
      question: `${title}?`,
      act,
      sort: "yes",
    };
  await askConsentQuestion(call, question, card);
  return signed;
}
