import type { CommonFlags } from "./common-flags.ts";

/**
 * Returns the flags that a hint repeats to reach the same service with the same identity; unrepeatable ones are
 * omitted.
 */
export function targetFlags({ context, server, tokenFile, demo, caFile, allowHttp }: CommonFlags): string[] {
  return [
    ...(demo ? ["--demo"] : []),
    ...flagWith("-c", context),
    ...flagWith("--server", server),
    ...(tokenFile === "-" ? [] : flagWith("--token-file", tokenFile)),
    ...flagWith("--ca-file", caFile),
    ...(allowHttp ? ["--allow-http"] : []),
  ];
}

function flagWith(flag: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return value.startsWith("-") ? [`${flag === "-c" ? "--context" : flag}=${value}`] : [flag, value];
}
