import type { Approvers } from "../config/config.ts";
import { RuleError } from "../config/sourced.ts";
import type { Proposal } from "./proposal.ts";

/** A line of `allowed_signers`: a name, options, and a key. */
const SIGNER =
  /^([^\s",*?!#]+)\s+(?:((?:[^\s"]|"[^"]*")+)\s+)?((?:ssh|ecdsa|sk)-[\w@.-]+)\s+([A-Za-z0-9+/]+=*)(?:\s.*)?$/;

/** Every name is a signature, and a key has one owner. @throws RuleError */
export function parseApproverSigners(text: string): string[] {
  const owners = new Map<string, string>();
  const lines = text.split("\n").map((line) => line.trim());
  const signers = lines.flatMap((line, index) => {
    if (line === "" || line.startsWith("#")) return [];
    const [, name = "", options, type = "", key = ""] = SIGNER.exec(line) ?? [];
    // A key and its certificate would be two signers.
    if (name === "" || /(?:^|,)cert-authority(?:,|$)/i.test(options ?? "") || type.includes("-cert-"))
      throw new RuleError(`line ${index + 1} is not one name and one key, e.g. bob ssh-ed25519 AAAA...`);
    const owner = owners.get(key) ?? name;
    if (owner !== name) throw new RuleError(`line ${index + 1} has the key of ${owner}`);
    owners.set(key, name);
    return [name, ...(options === undefined ? [] : [options]), type, key].join(" ");
  });
  if (signers.length === 0) throw new RuleError("names nobody");
  return signers;
}

export function approverNames({ signers }: Pick<Approvers, "signers">): string[] {
  return [...new Set(signers.map((line) => line.slice(0, line.indexOf(" "))))];
}

/** Counts each approver once, except the proposer: the user's names, and those with the user's before an `@`. */
export function countApprovals(approvers: Approvers, signed: readonly string[], { user }: Pick<Proposal, "user">) {
  const isProposer = (name: string) =>
    [name, name.replace(/@.*/s, "")].some((each) => each.toLowerCase() === user.toLowerCase());
  return approverNames(approvers).filter((name) => signed.includes(name) && !isProposer(name));
}
