import {
  isLoopbackOrigin,
  parseServer,
  plainHttpOriginProblem,
  shownOrigin,
} from "../../../src/config/connection/origin.ts";
import { RuleError } from "../../../src/config/sourced.ts";

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
