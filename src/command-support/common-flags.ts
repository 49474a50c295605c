import type { ConnectionFlags } from "../config/connection/typed-connection.ts";
import type { OutputFormat } from "../terminal/output-options.ts";

/** The common flags (promises 2.1), with commander's names. */
export interface CommonFlags extends ConnectionFlags {
  output?: OutputFormat;
  json?: true;
  fields?: string;
  query?: string;
  headers?: boolean;
  yes?: true;
  confirm?: string;
  /** False with `--no-input`. */
  input?: boolean;
  reason?: string;
  dryRun?: true;
  curl?: true;
  quiet?: true;
  verbose?: number;
  color?: "auto" | "always" | "never";
  /** False with `--no-pager`. */
  pager?: boolean;
}

/** Returns the flags that a hint repeats to reach the same service as the same user, where they can be. */
export function commonTargetFlags({
  context,
  server,
  tokenFile,
  header = [],
  demo,
  caFile,
  cert,
  key,
  keyPassphraseFile,
  proxy = "",
  allowHttp,
}: CommonFlags): string[] {
  return [
    ...(demo ? ["--demo"] : []),
    ...flagWith("-c", context),
    ...flagWith("--server", server),
    ...(isReadOnce(tokenFile) ? [] : flagWith("--token-file", tokenFile)),
    // A value that was typed would be in the printed command.
    ...header.filter((text) => text.startsWith("@") && !isReadOnce(text)).flatMap((text) => flagWith("--header", text)),
    ...flagWith("--ca-file", caFile),
    ...flagWith("--cert", cert),
    ...flagWith("--key", key),
    ...flagWith("--key-passphrase-file", keyPassphraseFile),
    ...(proxy === "" || proxy.includes("@") ? [] : flagWith("--proxy", proxy)),
    ...(allowHttp ? ["--allow-http"] : []),
  ];
}

/** Returns the flags of a command that runs within this one. They may have secrets, and are never printed. */
export function passedCommonFlags(common: CommonFlags): string[] {
  const { header = [], tokenFile } = common;
  return [
    ...commonTargetFlags({ ...common, header: [], proxy: "" }),
    ...(tokenFile !== undefined && isReadOnce(tokenFile) ? ["--token-file", tokenFile] : []),
    ...header.map((text) => `--header=${text}`),
    ...(["proxy", "timeout", "deadline", "retries"] as const).flatMap((name) =>
      common[name] === undefined ? [] : [`--${name}=${common[name]}`],
    ),
  ];
}

/** Returns whether a path is stdin, or what a shell opens for one command. */
function isReadOnce(path = ""): boolean {
  return /^@?(?:-$|\/dev\/(?:fd\/|stdin$)|\/proc\/self\/fd\/)/.test(path);
}

function flagWith(flag: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return value.startsWith("-") ? [`${flag === "-c" ? "--context" : flag}=${value}`] : [flag, value];
}

/** The common flags about where to, and as whom. */
export const REACH_FLAGS: readonly (keyof CommonFlags)[] = [
  "context",
  "server",
  "tokenFile",
  "header",
  "caFile",
  "cert",
  "key",
  "keyPassphraseFile",
  "proxy",
  "allowHttp",
];
export const LIMIT_FLAGS: readonly (keyof CommonFlags)[] = ["timeout", "deadline", "retries"];
