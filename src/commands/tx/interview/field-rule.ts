import type { App } from "../../../app.ts";
import { Problems } from "../../../command-support/problems.ts";
import { flagOf } from "../../../command-support/request-body/body-problems.ts";
import { type BodyFlags, bodyFromFlags } from "../body/body-flags.ts";
import type { ValidateFields } from "./validate-fields.ts";

/**
 * The rule that one member breaks beside the others that are known, or nothing. It is read and judged as flags are; what
 * other members break is not its business.
 * @param places the member, and what its problem may stand at besides: a file that was named
 */
export async function fieldRule(
  app: App,
  flags: BodyFlags,
  validate: ValidateFields,
  [field, ...places]: readonly [string, ...string[]],
): Promise<string | undefined> {
  const problems = new Problems();
  const { body, sourceOf } = await bodyFromFlags({ app, flags }, problems);
  validate(problems, body, sourceOf);
  const flag = flagOf(field);
  return problems.found.find(({ where }) => where === flag || where.startsWith(`${flag} (`) || places.includes(where))
    ?.rule;
}
