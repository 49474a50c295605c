import { signatureRefusal } from "../../client/needs-signature.ts";
import type { Approvers, Config, Context } from "../../config/config.ts";
import { shownOrigin } from "../../config/connection/origin.ts";
import { parseSourced } from "../../config/sourced.ts";
import { pluralize } from "../../contract/decimal.ts";
import { writeJson } from "../../contract/json.ts";
import { type Problem, RelayctlError, usageError } from "../../errors.ts";
import { approverNames, parseApproverSigners } from "../../proposals/approvers.ts";
import { changesOnlyRules } from "../../proposals/make-proposal.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { Call, CommandSyntax, ParsedFlags } from "../command.ts";

const USUAL_COUNT = 1;

export function defineApproverFlags(command: CommandSyntax) {
  return command
    .option(
      "--approvers <file>",
      "Require signatures before a write moves money or loosens a limit, from people in an `allowed_signers` file of OpenSSH",
    )
    .option("--no-approvers", "Stop requiring signatures (requires them)")
    .option(
      "--approvals <count>",
      `Number of people who must sign, the proposer not included (default: ${USUAL_COUNT})`,
    );
}

/** Null removes the approvers. */
export type ApproverChange = Partial<Approvers> | null;

const MOST_BYTES = 64 * 1024;

export async function approverChange(
  { app, flags: { approvers: file, approvals } }: Pick<Call<ParsedFlags<typeof defineApproverFlags>>, "app" | "flags">,
  problems: Problem[],
): Promise<ApproverChange | undefined> {
  const needed = Number(approvals ?? USUAL_COUNT);
  if (!Number.isInteger(needed) || needed < 1)
    problems.push({ where: "--approvals", given: String(approvals), rule: "must be a whole number of 1 or more" });
  if (file === false) return null;
  const text = file === undefined ? undefined : new TextDecoder().decode(await app.files.read(file, MOST_BYTES));
  const signers =
    text === undefined
      ? undefined
      : parseSourced({ value: text, from: `--approvers ${file}` }, parseApproverSigners, problems);
  if (!signers && approvals === undefined) return undefined;
  return { ...(signers && { signers: signers.value }), ...(approvals !== undefined && { needed }) };
}

/** @throws RelayctlError usage if more signatures are needed than there are approvers */
export function changedApprovers(
  { approvers: before }: Pick<Context, "approvers">,
  change: ApproverChange | undefined,
): Pick<Context, "approvers"> {
  if (change === null) return {};
  const { signers = [], needed = USUAL_COUNT } = { ...before, ...change };
  const { length: people } = approverNames({ signers });
  if (people > 0 && needed <= people) return { approvers: { needed, signers } };
  if (change === undefined) return {};
  const rule =
    people === 0 ? "needs --approvers" : `is more than the ${pluralize(people, "person", "people")} of --approvers`;
  throw usageError([{ where: "--approvals", given: String(needed), rule }]);
}

/** @param after undefined for a deletion @throws RelayctlError declined, with a hint that can be proposed */
export function requireSigned(
  name: string,
  before: Context | undefined,
  after: Context | undefined,
  loosens: boolean,
): void {
  if (!before?.approvers) return;
  const isSame = writeJson(before.approvers) === (after?.approvers && writeJson(after.approvers));
  if (isSame && !loosens) return;
  const refusal = signatureRefusal(`loosening the rules of context ${name}`, `context ${name}`);
  if (after && changesOnlyRules(before, after)) throw refusal;
  const unsigned = ["context", "set", name, "--no-approvers"];
  throw refusal.with({ hint: commandLine("propose", "--out", "proposal.json", "--", ...unsigned) });
}

/** Another name for a server must not bring other people to sign. @throws RelayctlError declined */
export function requireSameApprovers(contexts: Config["contexts"], after: Context): void {
  const server = shownOrigin(after.server);
  const differing = Object.entries(contexts).find(
    ([, { server: own, approvers }]) =>
      approvers && shownOrigin(own) === server && writeJson(approvers) !== writeJson(after.approvers ?? null),
  );
  if (!differing) return;
  const [name] = differing;
  throw new RelayctlError("declined", `context ${name} has other approvers for ${server}`, {
    because: ["contexts for one server have the same approvers", "nothing was changed"],
    hint: commandLine("context", "show", name),
  });
}
