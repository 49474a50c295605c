import { CANCELED, notConfirmed, RelayctlError } from "../../errors.ts";
import { shellOf } from "../../shell/shell-of.ts";
import { withLabels } from "../../terminal/printer.ts";
import type { Call } from "../call.ts";
import { labelReader, messageWriter } from "../printing.ts";
import { whyNoPrompt } from "../prompting/prompts.ts";
import { repeatedCommand } from "../repeated-command.ts";

export interface ConsentQuestion {
  /** The act as a question without its choices: `delete context prod?` */
  question: string;
  /** The act for an error without a terminal: `deleting a context`. */
  act?: string;
  /** The reasons for the prompt, if they do not follow from the act itself. */
  risks?: readonly string[];
  /** A yes, or a word to type: an ID, or the name of a protected context. */
  sort: "yes" | { type: string };
}

type Consenting = Pick<Call, "app" | "common" | "argv">;

export type CheckedConsent = "given" | "to ask";

/**
 * Resolves when the user agrees, by a flag or at a prompt; consent is never assumed.
 * @param shown lines above the question, printed with `--quiet` too
 * @returns whether the user was asked
 * @throws RelayctlError declined
 */
export async function askConsent(
  call: Consenting,
  question: ConsentQuestion,
  shown: readonly string[] = [],
): Promise<boolean> {
  if (checkConsent(call, question) === "given") return false;
  await askQuestion(call, question, shown);
  return true;
}

/**
 * Shows the prompt after the check requires it.
 * @param confirms whether a typed text agrees (default: if it is exactly the word to type)
 * @throws RelayctlError declined
 */
export async function askQuestion(
  { app, common }: Pick<Call, "app" | "common">,
  { question, sort }: ConsentQuestion,
  shown: readonly string[],
  confirms = (typed: string) => sort !== "yes" && typed === sort.type,
): Promise<void> {
  const { color } = common;
  const context = sort === "yes" ? undefined : sort.type;
  const say = messageWriter(app, { color }, () => context);
  for (const line of await labelled(shown, app)) await say(line);
  const prompts = await app.prompts({ color, context });
  if (sort === "yes") {
    if (!(await prompts.confirm(question))) throw new RelayctlError("declined", CANCELED);
    return;
  }
  const typed = await prompts.text(`${question} Type "${sort.type}" to confirm:`);
  if (!confirms(typed)) throw notConfirmed(typed, sort.type);
}

async function labelled(lines: readonly string[], app: Pick<Consenting["app"], "config" | "projectFile">) {
  const labelOf = await labelReader(app);
  return labelOf ? lines.map((line) => withLabels(line, { labelOf })) : lines;
}

/**
 * Checks consent before anything is read: throws if no flag gives it and no terminal is attached.
 * @throws RelayctlError declined, with the same command and the flag that agrees
 */
export function checkConsent(
  { app, common, argv }: Consenting,
  { act = "this", sort, risks = [] }: Omit<ConsentQuestion, "question">,
): CheckedConsent {
  const isGiven = sort === "yes" ? common.yes === true : common.confirm === sort.type;
  if (isGiven) return "given";
  const isWrong = sort !== "yes" && common.confirm !== undefined;
  const why = isWrong ? "--confirm does not match" : whyNoPrompt(app, common);
  if (why === undefined) return "to ask";
  const flags = sort === "yes" ? ["--yes"] : ["--confirm", sort.type];
  throw new RelayctlError("declined", `${act} requires confirmation, and ${why}`, {
    because: [...risks, "nothing was sent"],
    hint: repeatedCommand(argv, flags, shellOf(app.env)),
  });
}

/**
 * Refuses a bulk write without the required consent, before anything is read. Whether a typed word is correct is
 * checked once the targets are known.
 * @throws RelayctlError declined
 */
export function requireConsentForSet(call: Call, act: string): void {
  if (call.common.confirm === undefined) checkConsent(call, { act, sort: "yes" });
}
