import { describe, expect, test } from "vitest";
import { parseProxy, proxyFor, shownProxy } from "../../../src/config/connection/proxy.ts";
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
  ])("%s becomes %s", (text, url) => {
    expect(parseProxy(text)).toBe(url);
  });

  test.each([
    "",
    "not a url",
    "socks5://proxy.example",
    "http://proxy.example/path",
    "http://proxy.example/?a",
    "http://",
  ])("rejects %j", (text) => {
    expect(() => parseProxy(text)).toThrow(RuleError);
  });

  test("never quotes a password", () => {
    expect(() => parseProxy("socks5://user:hunter2@proxy.example")).toThrow(
      expect.objectContaining({ given: undefined, message: "must begin with http:// or https://" }),
    );
  });

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
  ])("%s", (_, origin, env, from) => {
    expect(proxyFor(origin, undefined, env, [])?.from).toBe(from);
  });

  test("from a flag overrides the environment and NO_PROXY", () => {
    const chosen = { value: "http://own/", from: "--proxy" };
    expect(proxyFor(SERVER, chosen, { HTTPS_PROXY: "http://a", NO_PROXY: "*" }, [])).toBe(chosen);
  });

  test("is none if the flag is none", () => {
    expect(proxyFor(SERVER, { value: "none", from: "--proxy" }, { HTTPS_PROXY: "http://a" }, [])).toBeUndefined();
  });

  test("with an invalid URL is a problem only for servers that would use it", () => {
    const problems: Problem[] = [];
    proxyFor("http://127.0.0.1", undefined, { HTTP_PROXY: "not a url" }, problems);
    expect(problems).toEqual([]);
    proxyFor("http://relayer", undefined, { HTTP_PROXY: "not a url" }, problems);
    expect(problems).toMatchObject([{ where: "HTTP_PROXY", given: "not a url" }]);
  });
});
