import type { App } from "../../app.ts";
import type { RelayctlError } from "../../errors.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { ColorChoice } from "../../terminal/capabilities.ts";

/** Read from the words without parsing, since an error may be that they can't be parsed. */

export function wantsJsonEarly({ env }: Pick<App, "env">, argv: readonly string[]): boolean {
  const joined = ` ${argv.join(" ")} `;
  const typed = / (?:-[a-zA-Z]*?o|--output)[ =]?(\S+) /.exec(joined)?.[1];
  if (/ --json /.test(joined)) return true;
  return ["json", "ndjson"].includes(typed ?? env.RELAYCTL_OUTPUT ?? "");
}

export function typedColorEarly(argv: readonly string[]): ColorChoice | undefined {
  const [, typed] = / --color[ =](auto|always|never) /.exec(` ${argv.join(" ")} `) ?? [];
  return typed as ColorChoice | undefined;
}

/** Commands that use no service, and refuse its flags. */
const LOCAL = /^(?:completion|context|label) /;

/** Returns the hint of an error; on a help page with the typed flags for the service, unless they are wrong. */
export function typedTargetHint(
  { hint, details }: Pick<RelayctlError, "hint" | "details">,
  argv: readonly string[],
): string | undefined {
  const [, page] = /^relayctl ((?:.* )?--help)$/.exec(hint ?? "") ?? [];
  if (page === undefined || LOCAL.test(page) || details.some(({ where }) => /^--(?:context|demo|server)$/.test(where)))
    return hint;
  const target = argv.filter((word, index) => {
    const isValue = /^(?:-c|--context|--server)$/.test(argv[index - 1] ?? "");
    const isFlag = /^(?:-c|--demo|--(?:context|server)(?:=.*)?)$/s.test(word);
    return isValue || (isFlag && !argv.slice(0, index).includes("--"));
  });
  // A URL could contain a password.
  return `${commandLine(...(target.some((word) => word.includes("@")) ? [] : target))} ${page}`;
}
