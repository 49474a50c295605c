import { sha256 } from "../contract/encoding/primitives.ts";
import { isJsonObject, prettyJson, tryParseJson, writeJson } from "../contract/json.ts";
import { exactly, listOf, optional, text, that } from "../contract/reply/shape.ts";
import { API_PREFIX, METHODS } from "../contract/wire.ts";
import { usageError } from "../errors.ts";

/** One write that somebody asks for. Its ID is made from these bytes. */
export type Proposal = {
  version: 1;
  /** Makes every proposal a different one. */
  nonce: string;
  /** The context's name, `demo`, or the origin. */
  context: string;
  server: string;
  method: string;
  /** The path and the query, or `CONTEXT_TARGET`. */
  target: string;
  /** The body as it is sent, byte for byte. */
  body?: string;
  /** The same body in the spelling of the real service, which is sent if the service rejects the first one. */
  respelled?: string;
  /** The line that asks for it, without secrets. */
  command: string;
  user: string;
  host: string;
  /** ISO 8601 in UTC. */
  time: string;
  expires: string;
  /** The digest of what the request changes, as it was read for the proposal. */
  seen?: string;
  /** The limits of the context, as JSON. */
  limits: string;
};

/** A proposal as it is stored and as it travels. */
export interface StoredProposal {
  proposal: Proposal;
  /** Signatures of OpenSSH over the proposal's bytes. */
  signatures: readonly string[];
}

const proposalShape = exactly({
  version: that((version) => version === 1),
  nonce: text,
  context: text,
  server: text,
  method: that((method) => ["SET", ...METHODS].some((each) => each === method)),
  target: that(
    (target) => typeof target === "string" && (target === CONTEXT_TARGET || target.startsWith(`${API_PREFIX}/`)),
  ),
  body: optional(jsonText()),
  respelled: optional(jsonText()),
  command: text,
  user: text,
  host: text,
  time: instant(),
  expires: instant(),
  seen: optional(text),
  limits: text,
});

const storedShape = exactly({ proposal: proposalShape, signatures: listOf(text) });

function instant() {
  return that((time) => typeof time === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time));
}

/** A text that was edited must be known to be no JSON before it is shown. */
function jsonText() {
  return that((body) => typeof body === "string" && tryParseJson(body) !== undefined);
}

/** The target of a proposal that changes the rules of a context here, and sends nothing. */
export const CONTEXT_TARGET = "the rules of the context";

export function changesContext({ method }: Proposal): boolean {
  return method === "SET";
}

/** The most milliseconds until a proposal expires. */
export const LONGEST_VALIDITY = 24 * 3_600_000;

/** The most bytes of a proposal with its signatures. */
export const MAX_PROPOSAL_BYTES = 1024 * 1024;

export function proposalBytes(proposal: Proposal): string {
  return writeJson(proposal);
}

/** Returns the ID: 8 hex digits of the digest of the bytes, so that a proposal that was edited has another ID. */
export function proposalId(proposal: Proposal): string {
  return digestOf(proposalBytes(proposal)).slice(0, 8);
}

export function digestOf(words: string): string {
  return Buffer.from(sha256(new TextEncoder().encode(words))).toString("hex");
}

export function storedText({ proposal, signatures }: StoredProposal): string {
  return `${prettyJson({ proposal, signatures: [...signatures] })}\n`;
}

/** @throws RelayctlError usage for a text that is not a proposal */
export function readStored(words: string, where: string): StoredProposal {
  const value = tryParseJson(words);
  const stored =
    isJsonObject(value) && storedShape(value) === undefined ? (value as unknown as StoredProposal) : undefined;
  if (stored && changesContext(stored.proposal) === (stored.proposal.target === CONTEXT_TARGET)) return stored;
  throw usageError([{ where, rule: "is not a proposal of relayctl" }]);
}
