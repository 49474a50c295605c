import type { App } from "../../../app.ts";
import { certificatePem } from "../../../client/transport/client-certificate.ts";
import { type ClientCertificateFiles, readClientCertificate } from "../../../config/connection/client-certificate.ts";
import type { CertificateChain } from "../../../config/machine/machine.ts";
import type { Sourced } from "../../../config/sourced.ts";

/** Returns the chain of a client certificate in PEM or PKCS#12; undefined where TLS doesn't show it. */
export async function readCertificateChain(
  app: Pick<App, "files" | "machine">,
  files: Sourced<ClientCertificateFiles>,
): Promise<CertificateChain | undefined> {
  const certificate = await readClientCertificate(files, app.files);
  const { chain } = await app.machine();
  if ("cert" in certificate) return chain(certificate.cert);
  const pem = await certificatePem(certificate);
  return pem === undefined ? undefined : chain(pem);
}
