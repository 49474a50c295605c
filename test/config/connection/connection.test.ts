import { readCertificates } from "../../../src/config/connection/certificates.ts";
import { validateClientOptions, validClientOption } from "../../../src/config/connection/client-options.ts";
import {
  isLoopbackOrigin,
  parseServer,
  plainHttpOriginProblem,
  shownOrigin,
} from "../../../src/config/connection/origin.ts";
import { isProxyBypassed, parseProxy, proxyFor, shownProxy } from "../../../src/config/connection/proxy.ts";
import { parseNodeUrl } from "../../../src/config/nodes.ts";
import { RuleError } from "../../../src/config/sourced.ts";
import type { Problem } from "../../../src/errors.ts";

describe("a server's URL", () => {
  test.each([
    ["https://relayer.example.org", "https://relayer.example.org"],
    ["https://relayer.example.org/", "https://relayer.example.org"],
    ["https://relayer.example.org///", "https://relayer.example.org"],
    ["https://relayer.example.org/api/v1", "https://relayer.example.org"],
    ["https://relayer.example.org/api/v1/", "https://relayer.example.org"],
    ["HTTPS://Relayer.Example.org:443/api/v1", "https://relayer.example.org"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://[::1]:8080/api/v1", "http://[::1]:8080"],
    ["https://relayer.example.org:8443", "https://relayer.example.org:8443"],
    ["https://gw.example.org/relayer/v1-prod/", "https://gw.example.org/relayer/v1-prod"],
    ["https://gw.example.org/relayer//api/v1//", "https://gw.example.org/relayer"],
    ["https://gw.example.org/api/v2", "https://gw.example.org/api/v2"],
    ["https://gw.example.org/a%20b", "https://gw.example.org/a%20b"],
  ])("%s is the server %s", (text, origin) => expect(parseServer(text)).toBe(origin));

  test.each([
    "",
    "relayer.example.org",
    "ftp://relayer.example.org",
    "https:relayer.example.org",
    "https://",
    "https://gw.example.org/relayer/api/v1/relayers",
    "https://gw.example.org/relayer/../admin",
    "https://gw.example.org/relayer/%2E%2e",
    "https://relayer.example.org/api/v1/relayers",
    "https://relayer.example.org/api/v1/..",
    "https://relayer.example.org/?page=1",
    "https://relayer.example.org/?",
    "https://relayer.example.org/#top",
    "https://user@relayer.example.org",
    "https://user:password@relayer.example.org",
    " https://relayer.example.org",
    "https://relayer.example.org\n",
    "https://relayer .example.org",
    "https:\\\\relayer.example.org",
    "https://relayer.example.org:99999",
  ])("rejects %j", (text) => {
    if (text.endsWith("/api/v1/relayers")) expect(() => parseServer(text)).toThrow("remove /relayers");
    expect(() => parseServer(text)).toThrow(RuleError);
  });

  test.each([
    "https://user:hunter2@relayer.example.org",
    "https://relayer.example.org/?key=hunter2",
    "https://relayer.example.org/#hunter2",
    "hunter2hunter2",
  ])("keeps possible secrets out of the error: %s", (text) => {
    const error = errorOf(() => parseServer(text));
    expect(`${error.message} ${error.given}`).not.toContain("hunter2");
  });

  test("includes the URL in the error if that is safe", () =>
    expect(errorOf(() => parseServer("https://a.example/api/v1/x")).given).toBe("https://a.example/api/v1/x"));
});

test("a stored server is shown as an origin, or as unusable with the reason", () => {
  expect(shownOrigin("https://relayer.example.org/api/v1")).toBe("https://relayer.example.org");
  expect(shownOrigin("https://me:hunter2@relayer.example.org")).toMatch(/^unusable: it must not contain a user name/);
});

test("plain HTTP to another host is a problem", () => {
  expect(plainHttpOriginProblem("http://relayer.example")).toMatch(/^plain HTTP would expose the token/);
  expect(plainHttpOriginProblem("http://127.0.0.1:1")).toBeUndefined();
  expect(plainHttpOriginProblem("https://relayer.example")).toBeUndefined();
});

test.each([
  ["http://localhost:8080", true],
  ["http://127.0.0.1", true],
  ["http://127.9.8.7:1", true],
  ["http://[::1]:8080", true],
  ["http://localhost.example.org", false],
  ["http://127.example.org", false],
  ["http://128.0.0.1", false],
  ["http://0.0.0.0", false],
  ["http://relayer", false],
])("%s is the loopback: %s", (origin, answer) => expect(isLoopbackOrigin(origin)).toBe(answer));

function errorOf(run: () => unknown): RuleError {
  try {
    run();
  } catch (error) {
    if (error instanceof RuleError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

const SERVER = "https://relayer.example.org";

describe("a proxy's URL", () => {
  test.each([
    ["http://proxy.example:3128", "http://proxy.example:3128/"],
    ["https://proxy.example", "https://proxy.example/"],
    ["proxy.example:3128", "http://proxy.example:3128/"],
    ["user:secret@proxy.example", "http://user:secret@proxy.example/"],
    ["none", "none"],
  ])("%s becomes %s", (text, url) => expect(parseProxy(text)).toBe(url));

  test.each([
    "",
    "not a url",
    "socks5://proxy.example",
    "http://proxy.example/path",
    "http://proxy.example/?a",
    "http://",
  ])("rejects %j", (text) => expect(() => parseProxy(text)).toThrow(RuleError));

  test("never quotes a password", () =>
    expect(() => parseProxy("socks5://user:hunter2@proxy.example")).toThrow(
      expect.objectContaining({ given: undefined, message: "must begin with http:// or https://" }),
    ));

  test("is shown without user name and password", () => {
    expect(shownProxy("http://user:hunter2@proxy.example:3128/")).toBe("http://proxy.example:3128");
    expect(shownProxy("none")).toBe("none");
  });
});

describe("the proxy to a server", () => {
  test.each<[string, string, Record<string, string>, string | undefined]>([
    ["https by HTTPS_PROXY", SERVER, { HTTPS_PROXY: "http://a", HTTP_PROXY: "http://b" }, "HTTPS_PROXY"],
    ["http by HTTP_PROXY", "http://relayer", { HTTPS_PROXY: "http://a", HTTP_PROXY: "http://b" }, "HTTP_PROXY"],
    ["lowercase names first", SERVER, { HTTPS_PROXY: "http://a", https_proxy: "http://b" }, "https_proxy"],
    ["an empty variable counts as unset", SERVER, { HTTPS_PROXY: "http://a", https_proxy: "" }, "HTTPS_PROXY"],
    ["not the variable of the other scheme", SERVER, { HTTP_PROXY: "http://b" }, undefined],
    ["NO_PROXY", SERVER, { HTTPS_PROXY: "http://a", NO_PROXY: "example.org" }, undefined],
    ["no_proxy", SERVER, { HTTPS_PROXY: "http://a", no_proxy: "example.org", NO_PROXY: "x" }, undefined],
    ["a different host in NO_PROXY", SERVER, { HTTPS_PROXY: "http://a", NO_PROXY: "example.com" }, "HTTPS_PROXY"],
    ["no proxy for the loopback", "https://127.0.0.1", { HTTPS_PROXY: "http://a" }, undefined],
    ["no proxy without variables", SERVER, {}, undefined],
  ])("%s", (_, origin, env, from) => expect(proxyFor(origin, undefined, env, [])?.from).toBe(from));

  test("from a flag overrides the environment and NO_PROXY", () => {
    const chosen = { value: "http://own/", from: "--proxy" };
    expect(proxyFor(SERVER, chosen, { HTTPS_PROXY: "http://a", NO_PROXY: "*" }, [])).toBe(chosen);
  });

  test("is none if the flag is none", () =>
    expect(proxyFor(SERVER, { value: "none", from: "--proxy" }, { HTTPS_PROXY: "http://a" }, [])).toBeUndefined());

  test("with an invalid URL is a problem only for servers that would use it", () => {
    const problems: Problem[] = [];
    proxyFor("http://127.0.0.1", undefined, { HTTP_PROXY: "not a url" }, problems);
    expect(problems).toEqual([]);
    proxyFor("http://relayer", undefined, { HTTP_PROXY: "not a url" }, problems);
    expect(problems).toMatchObject([{ where: "HTTP_PROXY", given: "not a url" }]);
  });
});

test.each([
  ["*", "https://relayer.example.org", true],
  ["example.org", "https://relayer.example.org", true],
  [".example.org", "https://relayer.example.org", true],
  [".example.org", "https://example.org", true],
  ["*.example.org", "https://relayer.example.org", true],
  ["EXAMPLE.org.", "https://relayer.example.org", true],
  ["ample.org", "https://relayer.example.org", false],
  ["relayer.example.org.evil", "https://relayer.example.org", false],
  ["example.org:8443", "https://example.org:8443", true],
  ["example.org:443", "https://example.org", true],
  ["example.org:80", "http://example.org", true],
  ["example.org:8443", "https://example.org", false],
  ["one.example, two.example three.example", "https://three.example", true],
  ["", "https://example.org", false],
  [",,", "https://example.org", false],
  [".", "https://example.org", false],
  ["10.1.2.3", "http://10.1.2.3:8080", true],
  ["2.3", "http://10.1.2.3", false],
  ["10.0.0.0/8", "http://10.1.2.3", true],
  ["10.0.0.0/8", "http://11.1.2.3", false],
  ["192.168.1.128/25", "http://192.168.1.200", true],
  ["192.168.1.128/25", "http://192.168.1.100", false],
  ["192.168.1.7/32", "http://192.168.1.7", true],
  ["0.0.0.0/0", "http://1.2.3.4", true],
  ["10.0.0.0/33", "http://10.0.0.0", false],
  ["10.0.0.0/8", "https://example.org", false],
  ["fd00::1", "http://[fd00::1]:8080", true],
  ["[fd00::1]", "http://[fd00::1]", true],
  ["[fd00::1]:8080", "http://[fd00::1]:8080", true],
  ["fd00::2", "http://[fd00::1]", false],
  ["relayer.example.org", "https://relayer.example.org.", true],
])("NO_PROXY=%j excludes %s: %s", (list, origin, answer) => expect(isProxyBypassed(list, origin)).toBe(answer));

describe("options of the client", () => {
  const VALID = { server: "https://relayer.example.org", token: "t0ken" };

  test.each(["http://relayer.example.org", "http://10.0.0.7:8080"])(
    "refuse plain HTTP to %s unless allowed",
    (server) => {
      expect(() => validateClientOptions({ ...VALID, server })).toThrow(/allowHttp: true/);
      expect(validateClientOptions({ ...VALID, server, allowHttp: true }).origin).toBe(server);
    },
  );

  test.each(["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"])(
    "accept plain HTTP to %s",
    (server) => expect(validateClientOptions({ ...VALID, server }).origin).toBe(server),
  );

  test.each([
    ["server", undefined],
    ["server", "ftp://relayer.example.org"],
    ["token", undefined],
    ["token", ""],
    ["token", "a\nb"],
    ["timeout", 0],
    ["timeout", Number.NaN],
    ["retries", -1],
    ["retries", 1.5],
    ["proxy", 7],
  ])("are refused by name: %s %s", (name, value) => {
    const options = { ...VALID, [name]: value };
    expect(() => validateClientOptions(options)).toThrow(
      expect.objectContaining({ name: "RelayctlError", failure: "usage", message: expect.stringContaining(name) }),
    );
  });

  test("name the URL of a node", () =>
    expect(() => validClientOption("nodeUrl", "node", parseNodeUrl)).toThrow(
      expect.objectContaining({ name: "RelayctlError", failure: "usage", message: expect.stringContaining("nodeUrl") }),
    ));
});

describe("certificate files", () => {
  const PEM = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

  function filesWith(text: string) {
    return { read: async () => new TextEncoder().encode(text) };
  }

  test("reads every file", async () => {
    const caFiles = [
      { value: "own.pem", from: "--ca-file" },
      { value: "node.pem", from: "NODE_EXTRA_CA_CERTS" },
    ];
    expect(await readCertificates(caFiles, filesWith(PEM))).toEqual([PEM, PEM]);
  });

  test("shows the file without a certificate, and where the file was specified", () =>
    expect(
      readCertificates([{ value: "key.pem", from: "RELAYCTL_CA_FILE" }], filesWith("secret")),
    ).rejects.toMatchObject({
      failure: "usage",
      message: "RELAYCTL_CA_FILE key.pem: contains no PEM certificate",
    }));
});
