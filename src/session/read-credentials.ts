import type { ServiceSettings, Settings } from "../config/resolve-settings.ts";
import { readExpiringCredentials, type TokenSources } from "../config/token/credentials.ts";
import type { Lifetime } from "../config/token/printed-token.ts";
import type { Credentials } from "../contract/wire.ts";
import type { RelayctlError } from "../errors.ts";

interface CredentialsRead extends Required<Credentials> {
  /** When the token expires, in milliseconds since 1970. */
  expiresAt?: number;
  /** Returns current credentials in place of expired ones; absent if none expire. */
  renewed?: () => Promise<Partial<Credentials>>;
}

/** Reads the token and the headers of the service. A command that prints both runs once. */
export async function readCredentials(
  settings: ServiceSettings,
  sources: TokenSources,
  { withToken, say }: { withToken: boolean; say(line: { note: string }): Promise<void> },
): Promise<CredentialsRead> {
  const app = keepingStdin(sources);
  const shared = sharingRuns(app);
  const noted = (words: string) => (error: RelayctlError) => say({ note: `${words}: ${error.message}` });
  const token = await renewable(
    async (again) => (withToken ? await readExpiringCredentials(settings, again ? app : shared, again) : { token: "" }),
    app.clock,
    noted("the token is used while it lasts"),
  );
  const headers = await renewable(
    (again) => loadHeaders(settings, again ? app : shared, again),
    app.clock,
    noted("the headers are used while they last"),
  );
  const renewed = async () => ({
    ...(token.renewed && { token: (await token.renewed()).token }),
    ...(headers.renewed && { headers: (await headers.renewed()).headers }),
  });
  return { ...token.first, headers: headers.first.headers, ...((token.renewed || headers.renewed) && { renewed }) };
}

async function loadHeaders(settings: ServiceSettings, sources: TokenSources, again: boolean) {
  if (settings.headers.length === 0) return { headers: {} };
  return await (await import("../config/token/read-headers.ts")).readHeaders(settings, sources, again);
}

async function renewable<T extends Lifetime>(
  read: (again: boolean) => Promise<T>,
  clock: TokenSources["clock"],
  failed: (error: RelayctlError) => Promise<void>,
): Promise<{ first: T; renewed?: () => Promise<T> }> {
  const first = await read(false);
  if (first.expiresAt === undefined && first.renewAfter === undefined) return { first };
  const { createRenewal } = await import("../config/token/renewal.ts");
  return { first, renewed: createRenewal(first, () => read(true), clock, failed) };
}

/** Headers from stdin are read again with those that expire. */
function keepingStdin(sources: TokenSources): TokenSources {
  let text: Promise<Uint8Array> | undefined;
  const read = (maxBytes: number) => (text ??= sources.stdin.read(maxBytes));
  return Object.create(sources, { stdin: { get: () => Object.create(sources.stdin, { read: { value: read } }) } });
}

function sharingRuns(sources: TokenSources): TokenSources {
  const runs = new Map<string, ReturnType<TokenSources["execute"]>>();
  const execute: TokenSources["execute"] = (argv, limits) => {
    const key = argv.join("\0");
    const run = runs.get(key) ?? sources.execute(argv, limits);
    runs.set(key, run);
    return run;
  };
  return Object.create(sources, { execute: { value: execute } });
}

/** @param read the headers, if they were read: stdin can't be read again */
export async function readCredentialHeaderNames(settings: Settings, app: TokenSources, read?: Credentials["headers"]) {
  if (read ?? (settings.demo || settings.headers.length === 0)) return Object.keys(read ?? {});
  return await (await import("../config/token/read-headers.ts")).readHeaderNames(settings, app);
}
