import type { Problem } from "../../errors.ts";
import { type Environment, readEnv } from "../environment.ts";
import { flagOrEnv, parseSourced, RuleError, type Sourced } from "../sourced.ts";
import { type CertificateFlags, typedCertificate } from "./client-certificate.ts";
import { parseProxy } from "./proxy.ts";

export interface ConnectionFlags extends CertificateFlags {
  context?: string;
  server?: string;
  tokenFile?: string;
  /** Each `Name: value`, or `@` and the path of a file with one per line. */
  header?: string[];
  demo?: true;
  timeout?: string;
  deadline?: string;
  retries?: string;
  caFile?: string;
  proxy?: string;
  allowHttp?: true;
}

export type TypedConnection = ReturnType<typeof typedConnection>;

export function typedConnection(flags: ConnectionFlags, env: Environment, problems: Problem[]) {
  return {
    allowHttp: allowHttp(flags, env, problems),
    caFile: flagOrEnv("--ca-file", flags.caFile, env, "RELAYCTL_CA_FILE"),
    certificate: typedCertificate(flags, env, problems),
    proxy: parseSourced(flagOrEnv("--proxy", flags.proxy, env, "RELAYCTL_PROXY"), parseProxy, problems),
  };
}

function allowHttp(flags: ConnectionFlags, env: Environment, problems: Problem[]): Sourced<boolean> | undefined {
  if (flags.allowHttp) return { value: true, from: "--allow-http" };
  const value = readEnv(env, "RELAYCTL_ALLOW_HTTP");
  return value === undefined ? undefined : parseSourced({ value, from: "RELAYCTL_ALLOW_HTTP" }, parseSwitch, problems);
}

function parseSwitch(text: string): boolean {
  if (/^(?:1|true|yes|on)$/i.test(text)) return true;
  if (/^(?:0|false|no|off)$/i.test(text)) return false;
  throw new RuleError("one of 1, true, yes, on, 0, false, no, off", text);
}
