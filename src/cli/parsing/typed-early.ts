import type { App } from "../../app.ts";
import type { ColorChoice } from "../../terminal/capabilities.ts";

/** What is read from the words alone, since an error may be that they cannot be parsed. */

export function wantsJson({ env }: Pick<App, "env">, argv: readonly string[]): boolean {
  const joined = ` ${argv.join(" ")} `;
  const typed = / (?:-[a-zA-Z]*?o|--output)[ =]?(\S+) /.exec(joined)?.[1];
  if (/ --json /.test(joined)) return true;
  return ["json", "ndjson"].includes(typed ?? env.RELAYCTL_OUTPUT ?? "");
}

export function typedColor(argv: readonly string[]): ColorChoice | undefined {
  const [, typed] = / --color[ =](auto|always|never) /.exec(` ${argv.join(" ")} `) ?? [];
  return typed as ColorChoice | undefined;
}
