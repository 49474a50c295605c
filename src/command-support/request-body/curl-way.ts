import type { App } from "../../app.ts";
import { PKCS12 } from "../../config/connection/client-certificate.ts";
import { usesTls } from "../../config/connection/proxy.ts";
import type { ServiceSettings } from "../../config/resolve-settings.ts";
import { type Shell, shellQuoted } from "../../shell/shell-words.ts";
import { DEFAULT_TIMEOUT } from "../../timing.ts";
import type { Call } from "../call.ts";
import { placeholderVariable } from "./body-placeholders.ts";

/** How a printed command reaches its server. */
export type CurlWay = Pick<ServiceSettings, "server" | "proxy" | "caFiles" | "certificate" | "timeout">;

export interface CurlFlags {
  flags: string[];
  /** The variables in the flags. */
  variables: string[];
}

/** Returns curl's flags for the same way. curl takes one file of certificates, in place of its default bundle. */
export async function curlWayFlags(
  way: CurlWay,
  { app, say }: Pick<Call, "say"> & { app: Pick<App, "env" | "files"> },
  shell: Shell,
): Promise<CurlFlags> {
  const variables: string[] = [];
  const secretFlag = (flag: string, name: string) => {
    variables.push(name);
    return `${flag} "${placeholderVariable(name, shell)}"`;
  };
  const { server, proxy, caFiles, timeout } = way;
  const flags = proxyFlags(way, app, secretFlag);
  const [first, ...others] = caFiles;
  if (usesTls(server.value, proxy?.value))
    for (const { value, from } of others.filter((other) => other.value !== first?.value))
      await say({ note: `curl takes one CA file, so the command leaves out ${value} (${from})` });
  if (usesTls(server.value)) {
    if (first) flags.push(`--cacert ${shellQuoted(first.value)}`);
    flags.push(...(await certificateFlags(way, app, secretFlag)));
  }
  if (timeout.value !== DEFAULT_TIMEOUT) flags.push(`--max-time ${timeout.value / 1000}`);
  return { flags, variables };
}

type SecretFlag = (flag: string, variable: string) => string;

/** curl would take the environment's proxy, even for a server on this machine. */
function proxyFlags({ proxy, caFiles: [ca] }: CurlWay, { env }: Pick<App, "env">, secretFlag: SecretFlag): string[] {
  const hasOthers = Object.keys(env).some((name) => /^(?:https?|all)_proxy$/i.test(name));
  if (!proxy) return hasOthers ? ["--noproxy '*'"] : [];
  const { value, from } = proxy;
  const name = from.startsWith("-") ? "RELAYCTL_PROXY" : from;
  return [
    value.includes("@") ? secretFlag("--proxytunnel --proxy", name) : `--proxytunnel --proxy ${shellQuoted(value)}`,
    "--noproxy ''",
    ...(ca && value.startsWith("https:") ? [`--proxy-cacert ${shellQuoted(ca.value)}`] : []),
  ];
}

async function certificateFlags({ certificate }: CurlWay, { files }: Pick<App, "files">, secretFlag: SecretFlag) {
  if (!certificate) return [];
  const { cert, key, passphraseFile } = certificate.value;
  const [first] = await files.read(cert, 2 ** 20).catch(() => []);
  return [
    // curl takes what follows a colon for the passphrase.
    `${first === PKCS12 ? "--cert-type P12 " : ""}--cert ${shellQuoted(cert.replace(/[\\:]/g, "\\$&"))}`,
    ...(key ? [`--key ${shellQuoted(key)}`] : []),
    ...(passphraseFile ? [secretFlag("--pass", "KEY_PASSPHRASE")] : []),
  ];
}
