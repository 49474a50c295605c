import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { createTrustedRoots } from "../../../src/client/transport/open-socket.ts";
import type { TransportFailure } from "../../../src/client/transport/transport.ts";
import { openTransport } from "../../../src/client/transport.ts";
import { readCertificateChain } from "../../../src/commands/doctor/read/read-certificate.ts";
import { readClientCertificate } from "../../../src/config/connection/client-certificate.ts";
import { createMachine } from "../../../src/config/machine/machine.ts";
import { createAuthority } from "../../faults/server/certificates.ts";
import { listenInTest } from "../../helpers/service/listen.ts";
import { errorOf } from "../../helpers/test-link.ts";
import { GET } from "./network.ts";

const own = createAuthority("the user's own authority");
const known = createAuthority("an authority that Node knows");
const LIMITS = { maxBytes: 1000, signal: new AbortController().signal };

interface TlsServer {
  origin: string;
  connections(): number;
  /** How many bytes arrived inside of TLS. */
  received(): number;
}

async function serve(certified: { cert: string; key: string }): Promise<TlsServer> {
  let connections = 0;
  let received = 0;
  const server = tls.createServer(certified, (socket) => {
    socket
      .on("error", () => {})
      .on("data", (chunk) => {
        received += chunk.length;
        socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}");
      });
  });
  server.on("connection", () => connections++);
  const port = await listenInTest(server);
  return { origin: `https://127.0.0.1:${port}`, connections: () => connections, received: () => received };
}

/** Puts an authority in the place of all that Node trusts. Returns how often Node's were used. */
function trustInsteadOfNodes({ cert }: { cert: string }): () => number {
  const create = tls.createSecureContext;
  let count = 0;
  const spy = vi.spyOn(tls, "createSecureContext").mockImplementation(({ ca, ...options } = {}) => {
    const certificates = [ca ?? tls.rootCertificates].flat();
    if (!certificates.includes(tls.rootCertificates[0] ?? "")) return create({ ...options, ca: certificates });
    count++;
    return create({ ...options, ca: [cert, ...certificates.slice(tls.rootCertificates.length)] });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return () => count;
}

describe.each(["kept", "own"] as const)("over a connection that is %s", (connection) => {
  const limits = { ...LIMITS, connection };

  test("trusts the user's own authority without reading those of Node", async () => {
    const server = await serve(own.issue());
    const usedNodes = trustInsteadOfNodes(known);
    const network = openTransport({ origin: server.origin, caCertificates: [own.cert] });
    expect(await network(GET, limits)).toMatchObject({ status: 200 });
    expect([server.connections(), usedNodes()]).toEqual([1, 0]);
  });

  test("trusts Node's authorities if the user's own do not know the server, and tries those first only once", async () => {
    const server = await serve(known.issue());
    const usedNodes = trustInsteadOfNodes(known);
    const network = openTransport({ origin: server.origin, caCertificates: [own.cert] });
    for (const _ of [1, 2]) expect(await network(GET, limits)).toMatchObject({ status: 200 });
    expect([server.connections(), usedNodes()]).toEqual([3, 1]);
  });

  test("trusts Node's authorities alone if the user has none", async () => {
    const server = await serve(known.issue());
    trustInsteadOfNodes(known);
    expect(await openTransport({ origin: server.origin, caCertificates: [] })(GET, limits)).toMatchObject({
      status: 200,
    });
    expect(server.connections()).toBe(1);
  });

  test.each([
    ["from an authority that nobody knows", () => createAuthority("an unknown authority").issue(), "not trusted", 2],
    ["that has expired", () => own.issue({ until: new Date("2024-01-01T00:00:00Z") }), "has expired", 1],
    ["that is not valid yet", () => own.issue({ from: new Date("2048-01-01T00:00:00Z") }), "not valid yet", 1],
    ["for a different host", () => own.issue({ host: "evil.test" }), "a different host", 1],
    ["that is its own authority", () => createAuthority("127.0.0.1"), "not trusted", 1],
  ])("sends nothing to a server with a certificate %s", async (_, issue, words, connections) => {
    const server = await serve(issue());
    trustInsteadOfNodes(known);
    const network = openTransport({ origin: server.origin, caCertificates: [own.cert] });
    const failure = (await errorOf(network(GET, limits))) as TransportFailure;
    expect(failure).toMatchObject({ reason: "certificate", sent: false });
    expect(failure.message).toContain(words);
    expect([server.connections(), server.received()]).toEqual([connections, 0]);
  });
});

test("several connections that open at once all come to trust Node's authorities", async () => {
  const server = await serve(known.issue());
  const usedNodes = trustInsteadOfNodes(known);
  const network = openTransport({ origin: server.origin, caCertificates: [own.cert] });
  const replies = await Promise.all([1, 2, 3].map(() => network(GET, { ...LIMITS, connection: "kept" })));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(usedNodes()).toBe(1);
});

describe("certificates are trusted in this order", () => {
  async function trusted(own: readonly string[], knowsSystems: boolean, options?: { includesSystems: boolean }) {
    const given: (readonly string[] | "Node's default")[] = [];
    const getCACertificates = (type: "default" | "system") => [`${type} certificate`];
    const roots = createTrustedRoots(own, options, async () => ({
      rootCertificates: ["Node's certificate"],
      ...(knowsSystems && { getCACertificates }),
      createSecureContext(options) {
        given.push(options?.ca ?? "Node's default");
        return tls.createSecureContext();
      },
    }));
    await roots.context();
    if (roots.hasOthers) {
      roots.addOthers();
      await roots.context();
    }
    return given;
  }

  test.each([
    ["own ones", true, ["own"], [["own"], ["own", "default certificate", "system certificate"]]],
    ["own ones, without the system's", false, ["own"], [["own"], ["own", "Node's certificate"]]],
    ["no own ones", true, [], ["Node's default", ["default certificate", "system certificate"]]],
    ["no own ones, without the system's", false, [], ["Node's default"]],
  ])("with %s", async (_, knowsSystems, own, expected) => expect(await trusted(own, knowsSystems)).toEqual(expected));

  test("with a runtime whose usual ones include the system's", async () => {
    const others = ["default certificate", "system certificate"];
    expect(await trusted([], true, { includesSystems: true })).toEqual([["Node's certificate"], others]);
  });
});

describe("the chain of a PKCS #12 file", () => {
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
});
