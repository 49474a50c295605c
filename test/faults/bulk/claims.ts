import { EXIT_CODES, type Failure } from "../../../src/errors.ts";
import type { FaultServer } from "../server/fault-server.ts";
import type { Ended } from "../world.ts";
import type { BulkCommand } from "./commands.ts";

interface Failed {
  applied: string;
  exit_code: number;
  hint: string | null;
  details: { where: string; given?: Failure }[];
}

/** What is wrong with the claims of a command about its targets, held against the ledger. */
export function falseClaims(command: BulkCommand, { exitCode, stdout, stderr }: Ended, server: FaultServer): string[] {
  const { ids, look, shown: claimed = (items) => items.map(({ id }) => id) } = command;
  const applied = server.ledger.map(({ id }) => id);
  const shown = stdout === "" ? [] : claimed(JSON.parse(stdout));
  const wrong = [
    ...shown.filter((id) => !applied.includes(id)).map((id) => `${id} is shown, and was not applied`),
    ...applied.filter((id, index) => applied.indexOf(id) < index).map((id) => `${id} was applied twice`),
  ];
  if (exitCode === 0) return shown.join() === ids.join() ? wrong : [...wrong, `success, and shown is ${shown}`];
  const error: Failed = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "").error;
  const details = error.details.map((detail) => ({ ...detail, where: detail.where.split(" ").at(-1) ?? "" }));
  const told = details.map(({ where }) => where);
  const denied = details.filter(({ where, given }) => applied.includes(where) && !mayBeApplied(given));
  const unknown = details.find(({ given }) => given === "unknown")?.where;
  const found: Record<string, boolean> = {
    [`exit ${exitCode} of some that failed`]: exitCode !== codeOf(error, shown) || error.exit_code !== exitCode,
    "one is neither shown nor told": ids.some((id) => shown.includes(id) === told.includes(id)),
    "said not to be applied, and one was": error.applied === "no" && applied.length > 0,
    "said to be applied, and none was": error.applied === "yes" && applied.length === 0,
    [`${denied.map(({ where, given }) => `${where} ${given}`)}, and it was applied`]: denied.length > 0,
    "no command to look at what is not known": unknown !== undefined && error.hint?.endsWith(look(unknown)) === false,
  };
  return [...wrong, ...Object.keys(found).filter((problem) => found[problem])];
}

function mayBeApplied(given: Failure | undefined): boolean {
  return given === "unknown" || given === "mismatch";
}

/** Some failed; or one, such as a token that is refused, ended all before anything was applied. */
function codeOf({ details }: Failed, shown: readonly string[]): number {
  const [word, ...others] = new Set(details.flatMap(({ given }) => given ?? []));
  return shown.length === 0 && word !== undefined && others.length === 0 ? EXIT_CODES[word] : EXIT_CODES.partial;
}

/** Returns the failure that is printed for a target. */
export function failureTold({ stderr }: Ended, id: string): Failure | undefined {
  const error: Failed | undefined = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "").error;
  return error?.details.find(({ where }) => where.split(" ").at(-1) === id)?.given;
}
