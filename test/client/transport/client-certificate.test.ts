import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import {
  certificatePem,
  certificateProblem,
  certificateSecrets,
} from "../../../src/client/transport/client-certificate.ts";
import { transportFailure } from "../../../src/client/transport/failure.ts";
import { type Connection, TransportFailure } from "../../../src/client/transport/transport.ts";
import { openTransport } from "../../../src/client/transport.ts";
import { readClientCertificate } from "../../../src/config/connection/client-certificate.ts";
import type { ClientCertificate } from "../../../src/contract/wire.ts";
import { createClient } from "../../../src/library.ts";
import { temporaryFolder } from "../../config/temporary-folder.ts";
import { createAuthority } from "../../faults/server/certificates.ts";
import { listenInTest } from "../../helpers/service/listen.ts";
import { errorOf } from "../../helpers/test-link.ts";
import { GET, PUT } from "./network.ts";

const authority = createAuthority("an authority");
const issued = authority.issue();
const LIMITS = { maxBytes: 1000, signal: new AbortController().signal };

/** Serves with TLS, but only clients with a certificate of the authority. */
async function demanding(maxVersion: tls.SecureVersion = "TLSv1.3") {
  let received = "";
  const options = { ...authority.issue(), ca: authority.cert, requestCert: true, rejectUnauthorized: true, maxVersion };
  const server = tls.createServer(options, (socket) => {
    socket
      .on("error", () => {})
      .on("data", (chunk) => {
        received += chunk;
        socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}");
      });
  });
  server.on("tlsClientError", () => {});
  return { origin: `https://127.0.0.1:${await listenInTest(server)}`, received: () => received };
}

/** Opens the way to a server on whose first connection nothing comes back between the handshake and the request. */
async function holdingRefusals(origin: string): Promise<string> {
  let connections = 0;
  const way = net.createServer((client) => {
    const isHeld = ++connections === 1;
    const server = net.connect(Number(new URL(origin).port), "127.0.0.1");
    const held: Buffer[] = [];
    let flights = 0;
    client
      .on("error", () => {})
      .on("data", (chunk) => {
        server.write(chunk);
        if (++flights > 2) for (const bytes of held.splice(0)) client.write(bytes);
      });
    server
      .on("error", () => {})
      .on("data", (chunk) => void (isHeld && flights === 2 ? held.push(chunk) : client.write(chunk)));
  });
  return `https://127.0.0.1:${await listenInTest(way)}`;
}

async function readFrom(
  content: Readonly<Record<string, string | Uint8Array>>,
  more: { key?: string; passphraseFile?: string } = {},
) {
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
    const network = openTransport({ origin: server.origin, caCertificates, clientCertificate });
    for (const request of [GET, PUT])
      expect(await network(request, { ...LIMITS, connection })).toMatchObject({ status: 200 });
    const without = openTransport({ origin: server.origin, caCertificates });
    const before = server.received();
    expect(await errorOf(without(GET, { ...LIMITS, connection }))).toBeInstanceOf(TransportFailure);
    expect(server.received()).toBe(before);
  },
);

test.each(["SSLV3", "SSL/TLS"])(
  "the error of a refused handshake contains the certificate, whatever OpenSSL calls it: %s",
  (name) => {
    const error = Object.assign(new Error("refused"), { code: `ERR_SSL_${name}_ALERT_HANDSHAKE_FAILURE` });
    const options = { origin: "https://127.0.0.1", caCertificates: [] };
    const failure = transportFailure(error, { options, signal: LIMITS.signal, sent: false, status: undefined });
    expect(failure.message).toMatch(/may demand a client certificate .*TLS said: handshake failure/);
  },
);

describe("a service that demands a certificate, and a client without one", () => {
  const without = (server: { origin: string }) =>
    createClient({ server: server.origin, token: "test-token", caCertificates: [authority.cert], retries: 0 });

  test("end before anything is sent if the version of TLS settles it first", async () => {
    const server = await demanding("TLSv1.2");
    const client = without(server);
    for (const call of [() => client.relayers.get("r1"), () => client.relayers.update("r1", { paused: true })])
      expect(await errorOf(call())).toMatchObject({
        ...{ failure: "network", applied: "no" },
        message: expect.stringMatching(/may demand a client certificate .*TLS said: handshake failure/),
      });
    expect(server.received()).toBe("");
  });

  const words = /demands a client certificate .*TLS said: certificate required/;
  const pay = (client: ReturnType<typeof createClient>) =>
    client.tx.send("r1", { to: `0x${"1".repeat(40)}`, value: 1n, speed: "fast" });

  test("send no payment if TLS 1.3 refuses before it leaves", async () => {
    const server = await demanding();
    const client = without(server);
    const failed = { failure: "network", exitCode: 10, applied: "no", message: expect.stringMatching(words) };
    expect(await errorOf(pay(client))).toMatchObject(failed);
    expect(await errorOf(client.relayers.get("r1"))).toMatchObject(failed);
    expect(server.received()).toBe("");
  });

  test("end a payment with an unknown outcome if TLS 1.3 refuses after it has left", async () => {
    const server = await demanding();
    const client = without({ origin: await holdingRefusals(server.origin) });
    expect(await errorOf(pay(client))).toMatchObject({
      ...{ failure: "unknown", exitCode: 11, applied: "unknown" },
      message: expect.stringMatching(words),
    });
    expect(server.received()).toBe("");
  });

  test("agree with PKCS#12 alone, of which the certificate can be seen", async () => {
    const folder = temporaryFolder();
    const [cert, key, pfx] = ["c.pem", "c.key", "c.p12"].map((name) => join(folder, name)) as [string, string, string];
    writeFileSync(cert, issued.cert);
    writeFileSync(key, issued.key);
    const words = ["pkcs12", "-export", "-in", cert, "-inkey", key, "-out", pfx, "-passout", "pass:two words"];
    execFileSync("openssl", words, { stdio: "ignore" });
    const read = { "cert.pem": readFileSync(pfx), words: "two words\n" };
    const clientCertificate = await readFrom(read, { passphraseFile: "words" });
    expect(await certificateProblem(clientCertificate)).toBeUndefined();
    expect(certificateSecrets(clientCertificate)).toEqual(["two words"]);
    const shown = (await certificatePem(clientCertificate))?.replaceAll("\n", "");
    expect(shown).toBe(issued.cert.replaceAll("\n", ""));
    const wrong = await readFrom({ ...read, words: "two word" }, { passphraseFile: "words" });
    expect(await certificateProblem(wrong)).toMatch(/passphrase .* is wrong or missing/);
    const server = await demanding();
    const network = openTransport({ origin: server.origin, caCertificates: [authority.cert], clientCertificate });
    expect(await network(GET, { ...LIMITS, connection: "own" })).toMatchObject({ status: 200 });
  });
});

test("the key is read from its file or from that of the certificate, and is a secret", async () => {
  const apart = await readFrom({ "cert.pem": issued.cert, "key.pem": issued.key }, { key: "key.pem" });
  const together = await readFrom({ "cert.pem": `${issued.cert}\n${issued.key}` });
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
  await expect(readFrom(content, more)).rejects.toMatchObject({
    failure: "usage",
    details: [expect.objectContaining({ rule: expect.stringContaining(words) })],
  });
});

test("says which key and which passphrase TLS cannot use", async () => {
  const { cert } = issued;
  expect(await certificateProblem({ cert, key: authority.issue().key })).toMatch(/the key belongs to another/);
  expect(await certificateProblem({ pfx: new Uint8Array([0x30, 0x00]), passphrase: "x" })).toMatch(/^cannot be used/);
});
