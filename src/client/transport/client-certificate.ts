import type { SecureContextOptions } from "node:tls";
import type { ClientCertificate } from "../../contract/wire.ts";

export function certificateOptions(
  certificate: ClientCertificate | undefined,
): Pick<SecureContextOptions, "cert" | "key" | "pfx" | "passphrase"> {
  if (!certificate) return {};
  return "pfx" in certificate ? { ...certificate, pfx: Buffer.from(certificate.pfx) } : certificate;
}

/** Returns the texts of a client certificate that nothing may print: the lines of its key, and the passphrase. */
export function certificateSecrets(certificate: ClientCertificate | undefined): string[] {
  if (!certificate) return [];
  const key = "key" in certificate ? certificate.key.split(/\r?\n/) : [];
  return [
    ...key.filter((line) => !line.startsWith("-----")),
    ...(certificate.passphrase ? [certificate.passphrase] : []),
  ];
}

/** Returns the certificate that a service is shown, in PEM, from PKCS#12 too; undefined where TLS does not show it. */
export async function certificatePem(certificate: ClientCertificate): Promise<string | undefined> {
  const { createSecureContext, TLSSocket } = await import("node:tls");
  const { Socket } = await import("node:net");
  const socket = new TLSSocket(new Socket(), { secureContext: createSecureContext(certificateOptions(certificate)) });
  const shown = socket.getCertificate();
  socket.destroy();
  if (!shown || !("raw" in shown)) return undefined;
  return `-----BEGIN CERTIFICATE-----\n${shown.raw.toString("base64")}\n-----END CERTIFICATE-----\n`;
}

/** Returns why TLS cannot use a client certificate; undefined if it can. */
export async function certificateProblem(certificate: ClientCertificate): Promise<string | undefined> {
  const { createSecureContext } = await import("node:tls");
  try {
    createSecureContext(certificateOptions(certificate));
    return undefined;
  } catch (error) {
    return `cannot be used: ${wordsOf(error)}`;
  }
}

function wordsOf(error: unknown): string {
  const said = error instanceof Error ? error.message : "";
  if (/values mismatch/i.test(said)) return "the key belongs to another certificate";
  if (/mac verify|bad decrypt|bad password|interrupted or cancel/i.test(said))
    return "the passphrase of its key is wrong or missing (--key-passphrase-file)";
  return `TLS said: ${said.replace(/^error:[0-9A-F]+:/, "")}`;
}
