import { CANCELED, RelayctlError } from "../../errors.ts";
import type { Call } from "../call.ts";
import { messageWriter } from "../message-writer.ts";
import { personPresent } from "../prompting/person.ts";
import { repeatedCommand } from "../repeated-command.ts";
import { shellOf } from "../shell/shell-of.ts";

/** A question before something that cannot be taken back. */
export interface ConsentQuestion {
  /** What will happen, as a question without its answer: `delete context prod?` */
  question: string;
  /** What to call it when nobody is there: `deleting a context`. */
  act?: string;
  /** Why it is asked at all, where that does not follow from the act itself. */
  risks?: readonly string[];
  /** A yes, or a word to type: an id, or the name of a protected context. */
  sort: "yes" | { type: string };
}

type Consenting = Pick<Call, "app" | "common" | "argv">;

/**
 * Resolves when the user agrees, by a flag or at a prompt; nothing is ever answered for them.
 * @param shown lines above the question, told to whoever is asked, with `--quiet` too
 * @returns whether somebody was asked
 * @throws RelayctlError declined
 */
export async function askConsent(
  call: Consenting,
  asked: ConsentQuestion,
  shown: readonly string[] = [],
): Promise<boolean> {
  refuseUnasked(call, asked);
  if (givenByFlag(call, asked)) return false;
  const say = messageWriter(call.app.stderr, {});
  for (const line of shown) await say(line);
  const prompts = await call.app.prompts();
  const agreed =
    asked.sort === "yes"
      ? await prompts.confirm(asked.question)
      : (await prompts.text(`${asked.question} Type ${asked.sort.type} to confirm:`)) === asked.sort.type;
  if (!agreed) throw new RelayctlError("declined", CANCELED);
  return true;
}

/**
 * Refuses at once, before anything is read, what nobody has agreed to and nobody is there to be asked about.
 * @throws RelayctlError declined, with the same command and the flag that agrees
 */
export function refuseUnasked(
  call: Consenting,
  { act = "this", sort, risks = [] }: Omit<ConsentQuestion, "question">,
): void {
  const { app, common, argv } = call;
  if (givenByFlag(call, { sort })) return;
  const isWrong = sort !== "yes" && common.confirm !== undefined;
  if (!isWrong && personPresent(app, common)) return;
  const flags = sort === "yes" ? ["--yes"] : ["--confirm", sort.type];
  const why = isWrong ? "--confirm does not match" : "no terminal is attached";
  throw new RelayctlError("declined", `${act} requires confirmation, and ${why}`, {
    because: [...risks, "nothing was sent"],
    hint: repeatedCommand(argv, flags, shellOf(app.env)),
  });
}

function givenByFlag({ common }: Consenting, { sort }: Pick<ConsentQuestion, "sort">): boolean {
  return sort === "yes" ? common.yes === true : common.confirm === sort.type;
}
