import type { App } from "../app.ts";
import type { Approvers } from "../config/config.ts";
import type { ProgramResult } from "../config/token/run-program.ts";
import { RelayctlError, unsentError, usageError } from "../errors.ts";
import { SIGNING_TIMEOUT } from "../timing.ts";
import { approverNames } from "./approvers.ts";
import { type Proposal, proposalBytes, type StoredProposal } from "./proposal.ts";

type Signing = Pick<App, "execute" | "privateFiles" | "secrets">;

/** A signature for another purpose doesn't count. */
const NAMESPACE = "proposal@relayctl";
const PROGRAM = ["ssh-keygen", "-Y"];
const MOST_BYTES = 64 * 1024;
const MOST_SIGNATURES = 32;

/** Signs a proposal with a key of SSH, or through its agent. @throws RelayctlError declined if the program fails */
export async function createProposalSignature(app: Signing, proposal: Proposal, key: string): Promise<string> {
  const {
    stdout,
    stderr = "",
    problem,
  } = await runSsh(app, ["sign", "-n", NAMESPACE, "-f", key], proposalBytes(proposal));
  if (problem === undefined && stdout.includes("BEGIN SSH SIGNATURE")) return stdout;
  throw new RelayctlError("declined", `ssh-keygen did not sign with ${key}: ${problem ?? "it printed no signature"}`, {
    because: [...stderr.trim().split("\n"), "a key with a passphrase signs through ssh-agent: ssh-add first"],
  });
}

export async function findSigners(
  app: Signing,
  { signers }: Pick<Approvers, "signers">,
  { proposal, signatures }: StoredProposal,
): Promise<string[]> {
  if (signatures.length > MOST_SIGNATURES)
    throw usageError([{ where: "<proposal>", rule: `has more than ${MOST_SIGNATURES} signatures` }]);
  const names = approverNames({ signers });
  const found: string[] = [];
  for (const signature of signatures) {
    const texts = [`${signers.join("\n")}\n`, signature].map((text) => app.secrets.redact(text));
    const verified = await app.privateFiles(texts, async ([allowed = "", path = ""]) => {
      const files = ["-f", allowed, "-s", path];
      const { stdout } = await runSsh(app, ["find-principals", ...files], "");
      const [name] = stdout.split("\n").filter((line) => names.includes(line));
      if (name === undefined) return undefined;
      const { status } = await runSsh(app, ["verify", "-n", NAMESPACE, "-I", name, ...files], proposalBytes(proposal));
      return status === 0 ? name : undefined;
    });
    if (verified !== undefined) found.push(verified);
  }
  return found;
}

async function runSsh(app: Signing, words: readonly string[], input: string): Promise<ProgramResult> {
  const limits = { timeout: SIGNING_TIMEOUT, maxBytes: MOST_BYTES, input, whole: true } as const;
  const result = await app.execute([...PROGRAM, ...words], limits);
  if (result.status !== undefined) return result;
  throw unsentError("declined", `ssh-keygen: ${result.problem}`);
}
