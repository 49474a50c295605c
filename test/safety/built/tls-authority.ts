import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createServer } from "node:tls";
import { newFolder } from "../../e2e/relayctl.ts";
import { listenInTest } from "../../helpers/service/listen.ts";

/** A TLS service whose certificate only the owner of `caFile` trusts. */
export interface TlsService {
  origin: string;
  caFile: string;
  /** What came over connections that the client trusted. */
  received(): string;
}

/** Nothing where this machine has no openssl to make a certificate with. */
export async function tlsService(reply: string): Promise<TlsService | undefined> {
  const folder = newFolder();
  const [keyFile, caFile] = [join(folder, "key.pem"), join(folder, "ca.pem")];
  const names = ["-subj", "/CN=relayctl test", "-addext", "subjectAltName=IP:127.0.0.1"];
  try {
    const make = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
    execFileSync("openssl", [...make, ...names, "-keyout", keyFile, "-out", caFile], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  let received = "";
  const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(caFile) }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      received += bytes;
      socket.end(reply);
    });
  });
  server.on("tlsClientError", () => {});
  return { origin: `https://127.0.0.1:${await listenInTest(server)}`, caFile, received: () => received };
}
