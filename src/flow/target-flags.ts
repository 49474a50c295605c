import type { CommonFlags } from "./common-flags.ts";

/** The flags that a hint repeats to reach the same service with the same identity; what cannot be repeated is left out. */
export function targetFlags({ context, server, tokenFile, demo, caFile, allowHttp }: CommonFlags): string[] {
  return [
    ...(demo ? ["--demo"] : []),
    ...(context === undefined ? [] : ["-c", context]),
    ...(server === undefined ? [] : ["--server", server]),
    ...(tokenFile === undefined || tokenFile === "-" ? [] : ["--token-file", tokenFile]),
    ...(caFile === undefined ? [] : ["--ca-file", caFile]),
    ...(allowHttp ? ["--allow-http"] : []),
  ];
}
