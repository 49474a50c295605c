import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { openTransport } from "../../../src/client/transport.ts";
import { readCertificateChain } from "../../../src/commands/doctor/read/read-certificate.ts";
import { readClientCertificate } from "../../../src/config/connection/client-certificate.ts";
import { createMachine } from "../../../src/config/machine/machine.ts";
import { createAuthority } from "../../faults/server/certificates.ts";
import { listenInTest } from "../../helpers/service/listen.ts";
import { errorOf } from "../../helpers/test-link.ts";
import { GET } from "./network.ts";

const root = createAuthority("the root");
const folder = mkdtempSync(join(tmpdir(), "relayctl-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

function openssl(line: string): void {
  execFileSync("openssl", line.split(" "), { cwd: folder, stdio: "ignore" });
}

/** Issues a certificate, and keeps it and its key next to each other. */
function issue(name: string, issuer: string, days: number, extensions: string): void {
  writeFileSync(at("extensions"), extensions);
  openssl(
    `req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ${name}.key -subj /CN=${name} -out r.csr`,
  );
  const by = `-CA ${issuer}.pem -CAkey ${issuer}.key -CAcreateserial`;
  openssl(`x509 -req -in r.csr ${by} -days ${days} -extfile extensions -out ${name}.pem`);
}

function pack(name: string, ...others: readonly string[]): void {
  writeFileSync(at("others.pem"), others.map((other) => readFileSync(at(`${other}.pem`), "utf8")).join(""));
  const more = others.length > 0 ? " -certfile others.pem" : "";
  openssl(`pkcs12 -export -in client.pem -inkey client.key${more} -out ${name}.p12 -passout pass:words`);
}

const app = {
  files: {
    read: async (path: string) => (path === "words" ? new TextEncoder().encode("words\n") : readFileSync(at(path))),
  },
  machine: async () => createMachine({}, "linux"),
} as unknown as Parameters<typeof readCertificateChain>[0];
const filesOf = (name: string) => ({ value: { cert: `${name}.p12`, passphraseFile: "words" }, from: "--cert" });

beforeAll(() => {
  writeFileSync(at("root.pem"), root.cert);
  writeFileSync(at("root.key"), root.key);
  issue("between", "root", 20, "basicConstraints=critical,CA:TRUE\n");
  issue("client", "between", 90, "extendedKeyUsage=clientAuth\n");
  pack("whole", "between", "root");
  pack("partly", "between");
  pack("alone");
});

test.each([
  ["whole", {}],
  ["partly", { missing: "CN=the root" }],
  ["alone", { missing: "CN=between" }],
])("is as much of it as the file contains: %s", async (name, expected) => {
  const { ends, ...found } = (await readCertificateChain(app, filesOf(name))) ?? { ends: 0 };
  expect(found).toEqual({ others: 0, ...expected });
  // The first one of the chain to expire counts.
  const first = name === "alone" ? "client.pem" : "between.pem";
  expect(ends).toBe(createMachine({}, "linux").expiries(readFileSync(at(first), "utf8"))[0]);
});

test("reaches a service that demands one and trusts only the root, unless an issuer is missing", async () => {
  const server = tls.createServer(
    { ...root.issue(), ca: root.cert, requestCert: true, rejectUnauthorized: true },
    (socket) =>
      socket
        .on("error", () => {})
        .on("data", () => socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}")),
  );
  server.on("tlsClientError", () => {});
  const origin = `https://127.0.0.1:${await listenInTest(server)}`;
  const send = async (name: string) => {
    const clientCertificate = await readClientCertificate(filesOf(name), app.files);
    const network = openTransport({ origin, caCertificates: [root.cert], clientCertificate });
    return await network(GET, { maxBytes: 1000, connection: "own", signal: new AbortController().signal });
  };
  for (const name of ["whole", "partly"]) expect(await send(name)).toMatchObject({ status: 200 });
  expect(await errorOf(send("alone"))).toBeInstanceOf(Error);
});
