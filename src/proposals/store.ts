import type { App } from "../app.ts";
import type { Masked } from "../contract/secret-fields.ts";
import { RelayctlError, usageError } from "../errors.ts";
import { MAX_PROPOSAL_BYTES, proposalId, readStored, type StoredProposal, storedText } from "./proposal.ts";

type Storing = Pick<App, "proposalFile" | "proposalNames" | "secrets">;

/** Returns the text of a proposal to write. @throws RelayctlError usage if it contains a secret */
export function proposalText({ secrets }: Pick<App, "secrets">, stored: StoredProposal): Masked<string> {
  const whole = storedText(stored);
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
  if (text !== undefined) return requireId(readStored(text, `proposal ${id}`), id);
  throw new RelayctlError("not_found", `unknown proposal "${id}"`, {
    because: ["a proposal is known where it was made; elsewhere, its file from --out is needed"],
    hint: "relayctl proposals list",
  });
}

/** Returns whether a proposal was made with this state folder, which knows whether it was used. */
export async function isMadeHere(app: Pick<App, "proposalFile">, id: string): Promise<boolean> {
  const text = await app.proposalFile(`${id}.json`).load();
  return text !== undefined && proposalId(readStored(text, `proposal ${id}`).proposal) === id;
}

function requireId(stored: StoredProposal, id: string): StoredProposal {
  if (proposalId(stored.proposal) === id) return stored;
  throw new RelayctlError("declined", `proposal ${id} was changed after it was created`, {
    because: ["nothing was sent"],
  });
}

/** @throws RelayctlError usage for a file that is not a proposal */
export async function readProposalFile({ files }: Pick<App, "files">, path: string): Promise<StoredProposal> {
  return readStored(new TextDecoder().decode(await files.read(path, MAX_PROPOSAL_BYTES)), path);
}

export interface Use {
  time: string;
  user: string;
  /** The names of those who signed, or the user who agreed at a terminal. */
  approved: readonly string[];
}

/** Returns the proposals of this state folder, newest first, each with its use. @param damaged called for each that cannot be read */
export async function listProposals(app: Storing, damaged: (error: RelayctlError) => Promise<void>) {
  const ids = (await app.proposalNames()).flatMap((name) => /^([0-9a-f]{8})\.json$/.exec(name)?.[1] ?? []);
  const listed = ids.map(async (id) => {
    try {
      return [{ id, ...(await loadProposal(app, id)), used: await readUse(app, id) }];
    } catch (error) {
      if (!(error instanceof RelayctlError)) throw error;
      await damaged(error);
      return [];
    }
  });
  const all = (await Promise.all(listed)).flat();
  return all.sort((one, other) => (one.proposal.time < other.proposal.time ? 1 : -1));
}

export async function readUse(app: Pick<App, "proposalFile">, id: string): Promise<Use | undefined> {
  const text = await app.proposalFile(`${id}.used`).load();
  return text === undefined ? undefined : useIn(text);
}

function useIn(text: string): Use {
  const [time = "", user = "", ...approved] = text.trim().split("\t");
  return { time, user, approved };
}

/**
 * Uses a proposal up before its request leaves, so that whatever ends this process, the request is sent at most once.
 * @throws RelayctlError conflict if it is used
 */
export async function useUp(app: Storing, id: string, { time, user, approved }: Use): Promise<void> {
  await app.proposalFile(`${id}.used`).change((before) => {
    return app.secrets.redact(usedText(id, before, { time, user, approved }));
  });
}

/** @param before the text of its use; undefined if there is none @throws RelayctlError conflict if it is used */
export function usedText(id: string, before: string | undefined, { time, user, approved }: Use): string {
  if (before !== undefined) throw alreadyUsed(id, useIn(before));
  return `${[time, user, ...approved].join("\t")}\n`;
}

export function alreadyUsed(id: string, { time, user }: Use): RelayctlError {
  return new RelayctlError("conflict", `proposal ${id} is already used, by ${user} at ${time}; nothing was sent`, {
    hint: "relayctl history list",
  });
}
