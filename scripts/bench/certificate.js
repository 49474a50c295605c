import { execFileSync } from "node:child_process";
import { join } from "node:path";

/**
 * Makes a key and a certificate for this machine's loopback address, as a company's own that `--ca-file` trusts.
 * @returns their paths, or nothing where there is no openssl
 */
export function makeCertificate({ folder, tools, env }) {
  if (tools.openssl === undefined) return undefined;
  const files = { key: join(folder, "tls.key"), certificate: join(folder, "tls.crt") };
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", "/CN=relayctl bench", "-addext", "subjectAltName=IP:127.0.0.1"];
  const written = ["-keyout", files.key, "-out", files.certificate];
  execFileSync("openssl", ["req", "-x509", ...kind, ...subject, ...written], { env, stdio: "ignore" });
  return files;
}
