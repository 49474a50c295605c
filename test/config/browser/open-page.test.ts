import { openBrowserPage, openerOf } from "../../../src/config/browser/open-page.ts";

const URL = "https://etherscan.io/tx/0x12?a=$&";

test.each([
  ["xdg-open on Linux", {}, "linux", ["xdg-open", URL]],
  ["open on macOS", {}, "darwin", ["open", URL]],
  ["the system's handler on Windows", {}, "win32", ["rundll32", "url.dll,FileProtocolHandler", URL]],
  ["BROWSER, with its words", { BROWSER: "firefox --new-tab" }, "linux", ["firefox", "--new-tab", URL]],
  ["BROWSER, at its place", { BROWSER: "open-with %s quietly" }, "linux", ["open-with", URL, "quietly"]],
  ["the first program of BROWSER", { BROWSER: "firefox:w3m" }, "linux", ["firefox", URL]],
  ["the system's, if BROWSER is empty", { BROWSER: "" }, "linux", ["xdg-open", URL]],
])("a page is opened by %s", (_, env, platform, words) => expect(openerOf(URL, { env, platform })).toEqual(words));

test("a program that is missing is reported", async () => {
  const problem = await openBrowserPage(URL, { env: { BROWSER: "/nowhere/browser" }, platform: "linux" });
  expect(problem).toContain("ENOENT");
});
