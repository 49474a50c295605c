import { type Problem, usageError } from "../../errors.ts";
import { parseSourced, RuleError } from "../sourced.ts";
import { type Headers, headersIn } from "../token/headers.ts";
import { tokenProblem } from "../token/token-text.ts";
import { parseServer, plainHttpOriginProblem } from "./origin.ts";
import { parseProxy } from "./proxy.ts";

/** The options of a client that are validated before anything is sent. */
interface TypedOptions {
  server: string;
  token: string;
  headers?: Headers;
  allowHttp?: boolean;
  timeout?: number;
  retries?: number;
  proxy?: string;
}

/** Validates the options of a client. @throws RelayctlError usage with each option */
export function validateClientOptions(options: TypedOptions): {
  origin: string;
  headers: Headers;
  proxy: string | undefined;
} {
  const problems: Problem[] = [];
  const add = (where: string, rule: string | undefined) => rule !== undefined && problems.push({ where, rule });
  const { token, timeout, retries, allowHttp } = options;
  const server = parseSourced({ value: options.server, from: "server" }, textOption(parseServer), problems);
  if (server && allowHttp !== true) add("server", plainHttpOriginProblem(server.value, "allowHttp: true"));
  add("token", typeof token === "string" ? tokenProblem(token) : "must be a string");
  const sent = headersIn(options.headers ?? {});
  add("headers", "rule" in sent ? sent.rule : undefined);
  add(
    "timeout",
    timeout === undefined || (typeof timeout === "number" && timeout > 0) ? undefined : "must be a number above 0",
  );
  add(
    "retries",
    retries === undefined || (Number.isInteger(retries) && retries >= 0) ? undefined : "must be 0 or more",
  );
  const typed = options.proxy === undefined ? undefined : { value: options.proxy, from: "proxy" };
  const proxy = parseSourced(typed, textOption(parseProxy), problems);
  if (!server || "rule" in sent || problems.length > 0) throw usageError(problems);
  return { origin: server.value, ...sent, proxy: proxy?.value === "none" ? undefined : proxy?.value };
}

/** Returns the URL of a node. @throws RelayctlError usage with the option */
export function validClientOption(name: string, value: string, read: (text: string) => string): string {
  const problems: Problem[] = [];
  const found = parseSourced({ value, from: name }, textOption(read), problems);
  if (!found) throw usageError(problems);
  return found.value;
}

/** A caller without a compiler can pass anything. */
function textOption(read: (text: string) => string): (text: string) => string {
  return (text) => {
    if (typeof text !== "string") throw new RuleError("must be a string");
    return read(text);
  };
}
