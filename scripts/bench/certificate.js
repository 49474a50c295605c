import { execFileSync } from "node:child_process";
import { join } from "node:path";

/**
 * Creates a key and a certificate for loopback, for `--ca-file`. @returns their paths, unless openssl is missing or too
 * old
 */
export function makeCertificate({ folder, tools, env, say }) {
  if (tools.openssl === undefined) return undefined;
  const files = { key: join(folder, "tls.key"), certificate: join(folder, "tls.crt") };
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", "/CN=relayctl bench", "-addext", "subjectAltName=IP:127.0.0.1"];
  const written = ["-keyout", files.key, "-out", files.certificate];
  try {
    execFileSync("openssl", ["req", "-x509", ...kind, ...subject, ...written], { env, stdio: "ignore" });
    return files;
  } catch (error) {
    say(`no certificate: ${error.message}`);
    return undefined;
  }
}
