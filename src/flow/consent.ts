import { RelayctlError } from "../errors.ts";
import type { Call } from "./call.ts";
import { personPresent } from "./person.ts";
import { commandLine } from "./shell-words.ts";

/** A question before something that cannot be taken back. */
export interface ConsentQuestion {
  /** What will happen, as a question without its answer: `delete context prod?` */
  question: string;
  /** What to call it when nobody is there: `deleting a context`. */
  act?: string;
  /** A yes, or a word to type: an id, or the name of a protected context. */
  sort: "yes" | { type: string };
}

type Consenting = Pick<Call, "app" | "common" | "argv">;

/**
 * Resolves when the user agrees, by a flag or at a prompt; nothing is ever answered for them.
 * @throws RelayctlError declined
 */
export async function askConsent(call: Consenting, asked: ConsentQuestion): Promise<void> {
  if (givenByFlag(call, asked)) return;
  if (!personPresent(call.app, call.common)) throw nobodyThere(call, asked);
  const prompts = await call.app.prompts();
  const agreed =
    asked.sort === "yes"
      ? await prompts.confirm(asked.question)
      : (await prompts.text(`${asked.question} Type ${asked.sort.type} to go on:`)) === asked.sort.type;
  if (!agreed) throw new RelayctlError("declined", "declined; nothing was sent");
}

function givenByFlag({ common }: Consenting, { sort }: ConsentQuestion): boolean {
  if (sort === "yes") return common.yes === true;
  if (common.confirm === undefined || common.confirm === sort.type) return common.confirm === sort.type;
  throw new RelayctlError("declined", `--confirm names something else; this needs --confirm ${sort.type}`);
}

function nobodyThere({ argv }: Consenting, { act = "this", sort }: ConsentQuestion): RelayctlError {
  const flags = sort === "yes" ? ["--yes"] : ["--confirm", sort.type];
  return new RelayctlError("declined", `${act} needs consent, and nobody is here to give it`, {
    because: ["nothing was sent"],
    hint: commandLine(...argv, ...flags),
  });
}
