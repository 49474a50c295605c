import type { App } from "../app.ts";
import { sha256 } from "../contract/encoding/primitives.ts";
import { isJsonObject, prettyJson, tryParseJson, writeJson } from "../contract/json.ts";
import { exactShape, listShape, oneOfShape, optionalShape, shapeWhere, text } from "../contract/reply/shape.ts";
import type { Masked } from "../contract/secret-fields.ts";
import { API_PREFIX, METHODS } from "../contract/wire.ts";
import { RelayctlError, rescue, unsentError, usageError } from "../errors.ts";
import { isDemoTarget } from "../session/demo-target.ts";
import { commandLine } from "../shell/shell-words.ts";

type Storing = Pick<App, "proposalFile" | "proposalNames" | "secrets">;

/** Returns the text of a proposal to write. @throws RelayctlError usage if it contains a secret */
export function proposalText({ secrets }: Pick<App, "secrets">, stored: StoredProposal): Masked<string> {
  const whole = storedProposalText(stored);
  const text = secrets.redact(whole);
  if (text === whole) return text;
  throw usageError([{ where: "<command>", rule: "contains a secret, and a proposal is a file that others read" }]);
}

export async function storeProposal(app: Storing, stored: StoredProposal): Promise<void> {
  const text = proposalText(app, stored);
  await app.proposalFile(`${proposalId(stored.proposal)}.json`).change(() => text);
}

/** @throws RelayctlError not_found */
export async function loadProposal(app: Storing, id: string): Promise<StoredProposal> {
  const text = await app.proposalFile(`${id}.json`).load();
  if (text !== undefined) return requireId(parseProposal(text, `proposal ${id}`), id);
  throw new RelayctlError("not_found", `unknown proposal "${id}"`, {
    because: ["a proposal is known where it was made; elsewhere, its file from --out is needed"],
    hint: "relayctl proposals list",
  });
}

/** Returns whether a proposal was made with this state folder, which knows whether it was used. */
export async function isProposalMadeHere(app: Pick<App, "proposalFile">, proposal: Proposal): Promise<boolean> {
  const id = proposalId(proposal);
  const text = await app.proposalFile(`${id}.json`).load();
  // An ID is short enough to be made again; the bytes are not.
  return (
    text !== undefined && proposalBytes(parseProposal(text, `proposal ${id}`).proposal) === proposalBytes(proposal)
  );
}

function requireId(stored: StoredProposal, id: string): StoredProposal {
  if (proposalId(stored.proposal) === id) return stored;
  throw unsentError("declined", `proposal ${id} was changed after it was created`);
}

export interface Use {
  time: string;
  user: string;
  /** The signers, or the user who agreed at a terminal. */
  approved: readonly string[];
}

/** Returns the proposals of this state folder, newest first, each with its use. @param damaged called for each that cannot be read */
export async function listProposals(app: Storing, damaged: (error: RelayctlError) => Promise<void>) {
  const ids = (await app.proposalNames()).flatMap((name) => /^([0-9a-f]{8})\.json$/.exec(name)?.[1] ?? []);
  const load = async (id: string) => [{ id, ...(await loadProposal(app, id)), used: await readProposalUse(app, id) }];
  const listed = ids.map((id) => rescue(load(id), (failure) => damaged(failure).then(() => [])));
  const all = (await Promise.all(listed)).flat();
  return all.sort((one, other) => (one.proposal.time < other.proposal.time ? 1 : -1));
}

export async function readProposalUse(app: Pick<App, "proposalFile">, id: string): Promise<Use | undefined> {
  const text = await app.proposalFile(`${id}.used`).load();
  return text === undefined ? undefined : useIn(text);
}

function useIn(text: string): Use {
  const [time = "", user = "", ...approved] = text.trim().split("\t");
  return { time, user, approved };
}

/** Uses it up before its request leaves, so that it is sent at most once. @throws RelayctlError conflict if used */
export async function useUpProposal(
  app: Storing & Pick<App, "clock" | "whoRuns">,
  proposal: Proposal,
  approved: readonly string[],
): Promise<void> {
  const use = { time: new Date(app.clock.now()).toISOString(), user: app.whoRuns().user, approved };
  const file = app.proposalFile(`${proposalId(proposal)}.used`);
  await file.change((before) => app.secrets.redact(proposalUseText(proposal, before, use)));
}

/** @param before the text of its use, if any @throws RelayctlError conflict if it is used */
export function proposalUseText(proposal: Proposal, before: string | undefined, { time, user, approved }: Use): string {
  if (before !== undefined) throw proposalAlreadyUsed(proposal, useIn(before));
  return `${[time, user, ...approved].join("\t")}\n`;
}

export function proposalAlreadyUsed(proposal: Proposal, { time, user }: Use): RelayctlError {
  const { context, server } = proposal;
  const target = isDemoTarget(proposal) ? ["--demo"] : context === server ? ["--server", server] : ["-c", context];
  const message = `proposal ${proposalId(proposal)} is already used, by ${user} at ${time}; nothing was sent`;
  return new RelayctlError("conflict", message, { hint: commandLine(...target, "history", "list") });
}

/** A requested write. Its ID is a digest of these bytes. */
export type Proposal = {
  version: 1;
  /** Makes every proposal unique. */
  nonce: string;
  /** The context's name, `demo`, or the origin. */
  context: string;
  server: string;
  method: string;
  /** The path and the query, or `CONTEXT_TARGET`. */
  target: string;
  /** The sent body, byte for byte. */
  body?: string;
  /** The body in the real service's spelling, sent if the service rejects the first one. */
  respelled?: string;
  /** The line that asks for it, without secrets. */
  command: string;
  user: string;
  host: string;
  /** ISO 8601 in UTC. */
  time: string;
  expires: string;
  /** The digest of the request's target, as it was read for the proposal. */
  seen?: string;
  /** The limits of the context, as JSON. */
  limits: string;
};

export interface StoredProposal {
  proposal: Proposal;
  /** Signatures of OpenSSH over the proposal's bytes. */
  signatures: readonly string[];
}

const proposalShape = exactShape({
  version: oneOfShape(1),
  nonce: text,
  context: text,
  server: text,
  method: oneOfShape("SET", ...METHODS),
  target: shapeWhere(
    (target) => typeof target === "string" && (target === CONTEXT_TARGET || target.startsWith(`${API_PREFIX}/`)),
  ),
  body: optionalShape(jsonText()),
  respelled: optionalShape(jsonText()),
  command: text,
  user: text,
  host: text,
  time: instantSchema(),
  expires: instantSchema(),
  seen: optionalShape(text),
  limits: text,
});

const storedShape = exactShape({ proposal: proposalShape, signatures: listShape(text) });

function instantSchema() {
  return shapeWhere((time) => typeof time === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time));
}

/** A text that was edited must be known to be no JSON before it is shown. */
function jsonText() {
  return shapeWhere((body) => typeof body === "string" && tryParseJson(body) !== undefined);
}

/** The target of a proposal that changes a local context's rules, and sends nothing. */
export const CONTEXT_TARGET = "the rules of the context";

export function proposalChangesContext({ method }: Proposal): boolean {
  return method === "SET";
}

/** The most milliseconds until a proposal expires. */
export const LONGEST_VALIDITY = 24 * 3_600_000;

/** The most bytes of a proposal with its signatures. */
export const MAX_PROPOSAL_BYTES = 1024 * 1024;

export function proposalBytes(proposal: Proposal): string {
  return writeJson(proposal);
}

/** Returns 8 hex digits of the digest of the bytes, so that an edited proposal has another ID. */
export function proposalId(proposal: Proposal): string {
  return proposalDigest(proposalBytes(proposal)).slice(0, 8);
}

export function proposalDigest(words: string): string {
  return Buffer.from(sha256(new TextEncoder().encode(words))).toString("hex");
}

export function storedProposalText({ proposal, signatures }: StoredProposal): string {
  return `${prettyJson({ proposal, signatures: [...signatures] })}\n`;
}

/** @throws RelayctlError usage for a text that is not a proposal */
export function parseProposal(words: string, where: string): StoredProposal {
  const value = tryParseJson(words);
  const stored =
    isJsonObject(value) && storedShape(value) === undefined ? (value as unknown as StoredProposal) : undefined;
  if (stored && proposalChangesContext(stored.proposal) === (stored.proposal.target === CONTEXT_TARGET)) return stored;
  throw usageError([{ where, rule: "is not a proposal of relayctl" }]);
}
