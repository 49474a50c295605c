import {
  askConsentQuestion,
  type ConsentQuestion,
  checkConsent,
  consentTitle,
} from "../../../command-support/consent/consent.ts";
import { writeLines } from "../../../command-support/prepared-write.ts";
import { whyNoPrompt } from "../../../command-support/prompting/prompts.ts";
import { pluralize } from "../../../contract/decimal.ts";
import { effectOf } from "../../../contract/effect.ts";
import { operations } from "../../../contract/operations.ts";
import { cancelError, unsentError } from "../../../errors.ts";
import { type PlannedChange, plannedName } from "../../../fleet/plan.ts";
import type { Message } from "../../../message.ts";
import type { Session } from "../../../session/session.ts";
import type { Call } from "../../command.ts";

const ACT = "applying a plan";

export function applyChangesText({ length }: readonly unknown[]): string {
  return pluralize(length, "change");
}

/** Asks for a yes; an ID or a number of changes for those that need IDs; or a protected context's name. */
function applyQuestion(session: Session, changes: readonly PlannedChange[]): ConsentQuestion {
  const question = consentTitle(session, `apply ${applyChangesText(changes)}`);
  const typed = changes.filter(({ consent }) => consent === "id");
  const [only, ...more] = typed;
  const number = only && more.length > 0 ? { type: typedCount(applyChangesText(changes)) } : undefined;
  const needed = number ?? (only ? { type: only.id } : ("yes" as const));
  const isProtected = session.protected && !pausesOne(changes);
  return { question, act: ACT, sort: isProtected ? { type: session.name } : needed };
}

/** Pausing one relayer needs no consent, so that an incident need not wait (promises 5). */
function pausesOne([change, ...more]: readonly PlannedChange[]): boolean {
  if (!change || more.length > 0 || change.noun !== "relayers" || change.action !== "update") return false;
  return effectOf(operations["relayers.update"], change.body).pausesOne;
}

interface Consented {
  changes: readonly PlannedChange[];
  /** The whole plan: a script may count changes that turn out to be applied already. */
  all: readonly PlannedChange[];
}

/** Asks for consent to a plan unless typed; then shows it. @param lines what it does @throws RelayctlError declined */
export async function consentToApply(
  call: Call,
  session: Session,
  { changes, all }: Consented,
  lines: readonly Message[],
): Promise<void> {
  if ([changes, all].some((each) => isGiven(call, session, each))) return await writeLines(call, lines);
  const question = applyQuestion(session, changes);
  const deleted = deletionsIn(changes);
  requireConsentToApply(call, session, changes);
  const isAsked = question.sort !== "yes" || call.common.yes !== true;
  if (isAsked) await askConsentQuestion(call, question, lines);
  if (deleted.length > 0) await askDeletions(call, deleted, isAsked ? [] : lines);
}

/** Reports a missing consent before the service is read, as far as known. @throws RelayctlError declined */
export function requireConsentToApply(call: Call, session: Session, changes: readonly PlannedChange[]): void {
  const question = applyQuestion(session, changes);
  const deleted = deletionsIn(changes);
  if (deleted.length === 0) return void checkConsent(call, question);
  if (isGiven(call, session, changes)) return;
  const { app, common, argv } = call;
  const isWrong = common.confirm !== undefined;
  const why = isWrong ? "--confirm does not match" : whyNoPrompt(app, common);
  if (why === undefined) return;
  const flags = ["--confirm", wordFor(question, deleted), ...(common.yes === true ? [] : ["--yes"])];
  const names = deleted.map(plannedName).join(", ");
  throw unsentError("declined", `deleting ${names} requires confirmation, and ${why}`, {
    repeat: { argv, added: flags },
  });
}

function isGiven({ common }: Call, session: Session, changes: readonly PlannedChange[]): boolean {
  const { sort } = applyQuestion(session, changes);
  const deleted = deletionsIn(changes);
  if (deleted.length > 0) return common.yes === true && common.confirm === wordFor({ sort }, deleted);
  return sort === "yes" ? common.yes === true : common.confirm === sort.type;
}

function deletionsIn(changes: readonly PlannedChange[]): PlannedChange[] {
  return changes.filter(({ action }) => action === "delete");
}

function wordFor({ sort }: Pick<ConsentQuestion, "sort">, deleted: readonly PlannedChange[]): string {
  return [...(sort === "yes" ? [] : [sort.type]), deletionsText(deleted)].join(", ");
}

function deletionsText({ length }: readonly unknown[]): string {
  return typedCount(pluralize(length, "deletion"));
}

function typedCount(text: string): string {
  return text.replaceAll(",", "");
}

async function askDeletions(call: Call, deleted: readonly PlannedChange[], lines: readonly Message[]): Promise<void> {
  const type = deletionsText(deleted);
  const question = `Delete ${pluralize(deleted.length, "resource")}?`;
  await askConsentQuestion(call, { question, sort: { type } }, [
    ...lines,
    ...deleted.map((each) => `delete ${plannedName(each)}`),
  ]);
  const prompts = await call.app.prompts({ color: call.common.color });
  for (const each of deleted) {
    const typed = await prompts.text(`Delete ${plannedName(each)}? Type "${each.id}" to confirm:`, {
      isConsent: true,
    });
    if (typed !== each.id) throw cancelError();
  }
}
