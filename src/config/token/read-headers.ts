import { mergedHeaders, secretsOfHeader } from "../../contract/header-rules.ts";
import { type Problem, usageError } from "../../errors.ts";
import type { HeaderSource, ServiceSettings } from "../resolve-settings.ts";
import { printedCredentials, readCredentialFile, refuseForeignToken, type TokenSources } from "./credentials.ts";
import { type Headers, headersIn, readHeaderLines } from "./headers.ts";
import { type HeadersRead, printedHeaders } from "./printed-token.ts";

/** Reads the headers of all sources, whose values are redacted from then on. @throws RelayctlError auth or usage */
export async function readHeaders(
  { headers: from, server }: Pick<ServiceSettings, "headers" | "server">,
  sources: TokenSources,
  again = false,
): Promise<HeadersRead> {
  for (const source of from) refuseForeignToken("the headers", source, server.value);
  const each: HeadersRead[] = [];
  for (const source of from) {
    const read = await readSource(source, sources, again);
    for (const value of Object.values(read.headers)) hideHeader(value, sources);
    each.push(read);
  }
  const ends = each.flatMap(({ expiresAt }) => expiresAt ?? []);
  // A command may ask somebody: it runs again only once what it printed expires.
  const ages = from.some(({ kind }) => kind === "command") ? [] : each.flatMap(({ renewAfter }) => renewAfter ?? []);
  const headers = mergedHeaders(...each.map((read) => read.headers));
  return {
    headers,
    ...(ends.length > 0 && { expiresAt: Math.min(...ends) }),
    ...(ages.length > 0 && { renewAfter: Math.min(...ages) }),
  };
}

function hideHeader(value: string, { secrets }: Pick<TokenSources, "secrets">): void {
  for (const secret of secretsOfHeader(value)) secrets.add(secret);
}

async function readSource(source: HeaderSource, sources: TokenSources, again: boolean): Promise<HeadersRead> {
  switch (source.kind) {
    case "typed":
      return { headers: source.headers };
    case "stored": {
      const read = headersIn({ ...source.headers });
      if ("rule" in read) throw usageError([{ where: source.from, rule: read.rule }]);
      return read;
    }
    case "file":
      return await readHeaderFile(source, sources, again);
    case "command":
      return await printedCredentials(source, sources, { what: headersBy(source), again });
  }
}

/** Reads a file with one header per line, or stdin. @throws RelayctlError usage with every problem */
async function readHeaderFile({ path, from }: { path: string; from: string }, sources: TokenSources, again: boolean) {
  const typed: [string, string] = ["--header @-", "specify a file"];
  const { text, ...lifetime } = await readCredentialFile({ path, from }, sources, again, typed);
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  for (const line of lines) hideHeader(line.slice(line.indexOf(":") + 1).trim(), sources);
  const problems: Problem[] = [];
  const where = path === "-" ? `${from} @-` : `${from} ${from === "--header" ? "@" : ""}${path}`;
  if (lines.length === 0) problems.push({ where, rule: "has no header" });
  const headers = readHeaderLines(lines, where, problems);
  if (problems.length > 0) throw usageError(problems);
  return { headers, ...lifetime };
}

/** Returns how a command's output is read, where only known names count. */
function headersBy({ names }: Extract<HeaderSource, { kind: "command" }>) {
  return {
    command: names ? "token_command" : "header_command",
    things: "headers",
    read: (stdout: string) => {
      const read = printedHeaders(stdout);
      return "rule" in read || !names ? read : { ...read, headers: chooseHeaders(read.headers, names) };
    },
    secrets: ({ headers }: HeadersRead) => Object.values(headers).flatMap(secretsOfHeader),
    problem: ({ headers }: HeadersRead) => {
      const missing = names?.find((name) => !Object.hasOwn(headers, name));
      return missing === undefined ? undefined : `has no header ${missing}`;
    },
  };
}

function chooseHeaders(headers: Headers, names: readonly string[]): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
}

/** Returns the sent headers' names for display. Only an unknown name takes a command. */
export async function readHeaderNames(
  settings: Pick<ServiceSettings, "headers" | "server">,
  sources: TokenSources,
): Promise<string[]> {
  const known = settings.headers.map((source) =>
    "names" in source && source.names
      ? {
          kind: "typed" as const,
          from: source.from,
          headers: Object.fromEntries(source.names.map((name) => [name, ""])),
        }
      : source,
  );
  return Object.keys((await readHeaders({ ...settings, headers: known }, sources)).headers);
}

/** Returns which headers a gateway got that refused a request. */
export function gatewayHeadersLine({ headers, server }: Pick<ServiceSettings, "headers" | "server">): string {
  const from = [...new Set(headers.map((source) => source.from))];
  const sent =
    from.length === 0
      ? "no headers for a gateway are configured (--header)"
      : `the headers are from ${from.join(", ")}`;
  return `${sent}; the server is ${server.value}`;
}
