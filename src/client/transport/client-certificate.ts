import type { SecureContextOptions } from "node:tls";
import type { ClientCertificate } from "../../contract/wire.ts";

export function certificateOptions(
  certificate: ClientCertificate | undefined,
): Pick<SecureContextOptions, "cert" | "key" | "pfx" | "passphrase"> {
  if (!certificate) return {};
  return "pfx" in certificate ? { ...certificate, pfx: Buffer.from(certificate.pfx) } : certificate;
}

/** Returns the secrets of a client certificate: the lines of its key, and the passphrase. */
export function certificateSecrets(certificate: ClientCertificate | undefined): string[] {
  if (!certificate) return [];
  const key = "key" in certificate ? certificate.key.split(/\r?\n/) : [];
  return [
    ...key.filter((line) => !line.startsWith("-----")),
    ...(certificate.passphrase ? [certificate.passphrase] : []),
  ];
}

/** Returns the client's certificate and its issuers as PEM. Only a handshake in memory shows the issuers. */
export async function certificatePem(certificate: ClientCertificate): Promise<string | undefined> {
  const [{ connect, createSecureContext, TLSSocket }, { duplexPair }] = await Promise.all([
    import("node:tls"),
    import("node:stream"),
  ]);
  const [here, there] = duplexPair();
  const secureContext = createSecureContext(certificateOptions(certificate));
  const server = new TLSSocket(there, { isServer: true, secureContext });
  const client = connect({ socket: here, rejectUnauthorized: false, ca: [] });
  const isConnected = await new Promise<boolean>((resolve) => {
    for (const socket of [server, client]) socket.on("error", () => resolve(false)).on("close", () => resolve(false));
    client.on("secureConnect", () => resolve(true));
  });
  const found: string[] = [];
  let next = isConnected ? client.getPeerX509Certificate() : undefined;
  for (; next && !found.includes(String(next)); next = next.issuerCertificate) found.push(String(next));
  for (const socket of [client, server]) socket.destroy();
  return found.length === 0 ? undefined : found.join("");
}

/** Returns why TLS cannot use a client certificate; undefined if it can. */
export async function certificateProblem(certificate: ClientCertificate): Promise<string | undefined> {
  const { createSecureContext } = await import("node:tls");
  try {
    createSecureContext(certificateOptions(certificate));
    return undefined;
  } catch (error) {
    return `cannot be used: ${describeError(error)}`;
  }
}

function describeError(error: unknown): string {
  const said = error instanceof Error ? error.message : "";
  if (/values mismatch/i.test(said)) return "the key belongs to another certificate";
  if (/mac verify|bad decrypt|bad password|interrupted or cancel/i.test(said))
    return "the passphrase of its key is wrong or missing (--key-passphrase-file)";
  return `TLS said: ${said.replace(/^error:[0-9A-F]+:/, "")}`;
}
