import { isProxyBypassed, parseProxy, proxyFor, shownProxy } from "../../../src/config/connection/proxy.ts";
import { RuleError } from "../../../src/config/sourced.ts";
import type { Problem } from "../../../src/errors.ts";

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
