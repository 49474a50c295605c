import { once } from "node:events";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { certificateProblem, certificateSecrets } from "../../../src/client/transport/client-certificate.ts";
import { type Connection, TransportFailure } from "../../../src/client/transport/transport.ts";
import { createNetwork } from "../../../src/client/transport.ts";
import { readClientCertificate } from "../../../src/config/connection/client-certificate.ts";
import type { ClientCertificate } from "../../../src/contract/wire.ts";
import { createAuthority } from "../../faults/server/certificates.ts";
import { errorOf } from "../../helpers/test-link.ts";
import { GET, PUT } from "./network.ts";

const authority = createAuthority("an authority");
const issued = authority.issue();
const LIMITS = { maxBytes: 1000, signal: new AbortController().signal };

/** Serves with TLS whoever has a certificate of the authority, and nobody else. */
async function demanding() {
  let received = "";
  const options = { ...authority.issue(), ca: authority.cert, requestCert: true, rejectUnauthorized: true };
  const server = tls.createServer(options, (socket) => {
    socket
      .on("error", () => {})
      .on("data", (chunk) => {
        received += chunk;
        socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}");
      });
  });
  server.on("tlsClientError", () => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, received: () => received };
}

async function read(content: Readonly<Record<string, string | Uint8Array>>, more: { key?: string } = {}) {
  const files = {
    read: async (path: string) => {
      const found = content[path] ?? "";
      return typeof found === "string" ? new TextEncoder().encode(found) : found;
    },
  };
  const from = { value: { cert: "cert.pem", ...more }, from: "--cert" };
  return await readClientCertificate(from, files);
}

test.each<Connection>(["kept", "own", "pooled"])(
  "a service that demands a certificate gets it over each connection: %s",
  async (connection) => {
    const server = await demanding();
    const caCertificates = [authority.cert];
    const clientCertificate: ClientCertificate = issued;
    const network = createNetwork({ origin: server.origin, caCertificates, clientCertificate });
    for (const request of [GET, PUT])
      expect(await network(request, { ...LIMITS, connection })).toMatchObject({ status: 200 });
    const without = createNetwork({ origin: server.origin, caCertificates });
    const before = server.received();
    expect(await errorOf(without(GET, { ...LIMITS, connection }))).toBeInstanceOf(TransportFailure);
    expect(server.received()).toBe(before);
  },
);

test("the key is read from its file or from that of the certificate, and is a secret", async () => {
  const apart = await read({ "cert.pem": issued.cert, "key.pem": issued.key }, { key: "key.pem" });
  const together = await read({ "cert.pem": `${issued.cert}\n${issued.key}` });
  for (const certificate of [apart, together]) {
    expect(await certificateProblem(certificate)).toBeUndefined();
    const lines = issued.key.split("\n").filter((line) => line !== "" && !line.startsWith("-----"));
    expect(certificateSecrets(certificate)).toEqual(expect.arrayContaining(lines));
  }
});

test.each([
  ["neither a PEM certificate nor PKCS#12", { "cert.pem": "words" }, {}],
  ["contains no PEM private key", { "cert.pem": issued.cert }, {}],
  ["leave the key's file out", { "cert.pem": new Uint8Array([0x30, 0x82, 0xff, 0xff]) }, { key: "key.pem" }],
])("says that a file %s", async (words, content, more) => {
  await expect(read(content, more)).rejects.toMatchObject({
    failure: "usage",
    details: [expect.objectContaining({ rule: expect.stringContaining(words) })],
  });
});

test("says which key and which passphrase TLS cannot use", async () => {
  const { cert } = issued;
  expect(await certificateProblem({ cert, key: authority.issue().key })).toMatch(/the key belongs to another/);
  expect(await certificateProblem({ pfx: new Uint8Array([0x30, 0x00]), passphrase: "x" })).toMatch(/^cannot be used/);
});
