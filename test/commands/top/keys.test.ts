import type { Config } from "../../../src/config/config.ts";
import { createEmbeddedServer } from "../../../src/embedded-server/server.ts";
import type { ScriptedAnswer } from "../../helpers/scripted-prompts.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { wholeList } from "../../helpers/service/reply.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { SERVER, TOKEN } from "../../helpers/test-app.ts";
import { shownTop } from "./shown-top.ts";

const HEAD = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

async function pressedOn(name: string, keys: readonly string[], answers: readonly ScriptedAnswer[] = []) {
  const opened: string[] = [];
  const openPage = async (url: string) => void opened.push(url);
  const clock = steppedClock();
  const [store, random] = [demoStore(), { uuid: () => "-", fraction: () => 0.5 }];
  const service = createEmbeddedServer({ token: TOKEN, store, clock, random });
  const top = await shownTop("--demo top", { answers, openPage, service, rows: 30 }, clock);
  await top.type("/", ..."relayer.id=", ...name, "enter", ...keys);
  await top.sees(/press any key/);
  const writes = top.requests.filter(({ method, target }) => method !== "GET" && !target.endsWith("/rpc"));
  await top.type("x", "escape", "q");
  expect((await top.ended).exitCode).toBe(0);
  return { said: top.stderr.text(), asked: top.questions, opened, writes: writes.map(({ method }) => method) };
}

test.each<[string, string, readonly ScriptedAnswer[], RegExp]>([
  ["u", "relayers unstick eth-main-1", [], /Bump transaction 6f1a2c1e-.* of eth-main-1 in demo\?/],
  ["b", "tx bump eth-main-1", [HEAD], /Bump transaction 6f1a2c1e-.* of eth-main-1 in demo\?/],
])("%s runs the real command, which sends nothing if its question is refused", async (key, line, before, question) => {
  const refused = await pressedOn("eth-main-1", [key], [...before, false]);
  expect(refused.said).toContain(`$ relayctl --demo ${line}`);
  expect(refused.asked.at(-1)).toMatch(question);
  expect(refused.writes).toEqual([]);
  const agreed = await pressedOn("eth-main-1", [key], [...before, true]);
  expect(agreed.asked).toEqual(refused.asked);
  expect(agreed.writes).toEqual(["PUT"]);
});

test("r asks here, since the command does not: n sends nothing, and y resumes", async () => {
  const top = await shownTop("--demo top");
  await top.type("/", ..."relayer.id=eth-main-2", "enter", "r", "n");
  expect(top.shown()).toContain("Canceled. Nothing was sent.");
  await top.type("escape", "q");
  expect((await top.ended).exitCode).toBe(0);
  expect(top.requests.some(({ method }) => method === "PATCH")).toBe(false);
  const { said, asked, writes } = await pressedOn("eth-main-2", ["r", "y"]);
  expect([asked, writes]).toEqual([[], ["PATCH"]]);
  expect(said).toContain("$ relayctl --demo relayers resume eth-main-2");
});

test("d examines the relayer and w opens its page, without a question or a write", async () => {
  const doctor = await pressedOn("eth-main-1", ["d"]);
  expect(doctor).toMatchObject({ asked: [], writes: [] });
  expect(doctor.said).toContain("$ relayctl --demo doctor eth-main-1 --no-pager");
  const page = await pressedOn("eth-main-1", ["w"]);
  expect(page).toMatchObject({ asked: [], writes: [] });
  expect(page.opened).toEqual([
    expect.stringMatching(/^https:\/\/evm-mainnet\.explorer\.example\.org\/address\/0x7099/),
  ]);
});

test("Ctrl-C while a command ends needs no further key", async () => {
  const top = await shownTop("--demo top");
  const write = top.stderr.write.bind(top.stderr);
  top.stderr.write = async (text) => {
    if (String(text).startsWith("press any key")) top.interrupt.abort("interrupted");
    await write(text);
  };
  await top.type("d");
  expect(await Promise.race([top.ended, top.pass(30)])).toMatchObject({ exitCode: 0 });
  expect(top.stderr.text()).toContain("press any key");
});

test("12 commands later, no listener is left of which Node would warn on the screen", async () => {
  const warnings: string[] = [];
  const warned = ({ message }: Error) => warnings.push(message);
  process.on("warning", warned);
  const top = await shownTop("--demo top");
  await top.type("/", ..."relayer.id=base-hot", "enter");
  for (let turn = 0; turn < 12; turn++) {
    await top.type("p", "y");
    await top.sees(/press any key/);
    await top.type("x");
  }
  expect(top.requests.filter(({ method }) => method === "PATCH")).toHaveLength(1);
  await top.type("escape", "q");
  expect((await top.ended).exitCode).toBe(0);
  process.off("warning", warned);
  expect(warnings).toEqual([]);
});

test("hashes link to their explorer where the terminal shows links, and the text stays the same", async () => {
  const LINK = /\u001b\]8;;(https:[^\u001b]+)\u001b\\(.*?)\u001b\]8;;\u001b\\/g;
  const shownWith = async (FORCE_HYPERLINK: string) => {
    const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, NO_COLOR: "1", LC_ALL: "C.UTF-8", FORCE_HYPERLINK };
    const top = await shownTop("--demo top", { env, columns: 200 });
    await top.type("/", ..."relayer.id=eth-main-1", "enter", "enter");
    await top.pass(6);
    const text = top.stdout.text();
    await top.type("q", "escape", "q");
    expect((await top.ended).exitCode).toBe(0);
    return text;
  };
  const linked = await shownWith("1");
  const urls = [...linked.matchAll(LINK)].map(([, url = "", word = ""]) => [
    url.startsWith("https://evm-mainnet.explorer.example.org/"),
    url.endsWith(word),
  ]);
  expect(urls.length).toBeGreaterThan(0);
  expect(urls.every((each) => each.every(Boolean))).toBe(true);
  const plain = await shownWith("0");
  expect(plain).not.toContain("\u001b]8");
  const rows = (text: string) => new Set(text.replaceAll(LINK, "$2").match(/0x[0-9a-fA-F]{40,64}/g));
  expect(rows(linked)).toEqual(rows(plain));
});

test("several contexts are one list, and a key acts in the context of its row", async () => {
  const context = { server: SERVER, token: TOKEN };
  const config: Config = { version: 1, current: "prod", contexts: { prod: context, eu: context } };
  const top = await shownTop("top -c prod,eu", { config, env: { LC_ALL: "C.UTF-8" }, rows: 30 });
  expect(top.shown()).toMatch(/^prod {2}eu {3}16 relayers/);
  await top.type("/", ..."base-hot eu", "enter", "p");
  expect(top.shown()).toContain("? Pause base-hot in eu? [y/N]");
  await top.type("y");
  await top.sees(/press any key/);
  expect(top.stderr.text()).toContain("$ relayctl -c eu relayers pause base-hot");
  expect(top.journal.entries[0]).toMatchObject({ context: "eu", operation: "relayers.update" });
  await top.type("x", "escape", "q");
  expect((await top.ended).exitCode).toBe(0);
});

const END = "\u001b[?25h\u001b[?1049l";

test.each([
  ["SIGTERM", "terminated", 143],
  ["SIGHUP", "hung_up", 129],
])("%s gives the screen back, with the last picture on the ordinary one", async (_, reason, code) => {
  const top = await shownTop("--demo top");
  top.interrupt.abort(reason);
  expect(await top.ended).toMatchObject({ exitCode: code });
  expect(top.stdout.text().split(END)).toEqual([expect.anything(), expect.stringMatching(/^demo {3}8 relayers/)]);
});

test("a bug gives the screen back too, with the last picture and the error", async () => {
  let isBroken = false;
  const top = await shownTop("top", {
    async service({ target }) {
      if (isBroken) throw new TypeError("a defect");
      return target.includes("/transactions") ? wholeList([]) : wholeList([{ id: "r1", network_type: "solana" }]);
    },
  });
  // No help lists the exit code of a bug, which the test's own check reports.
  const ended = expect(top.ended).rejects.toThrow("ended with 1");
  isBroken = true;
  await top.pass(5);
  await ended;
  expect(top.stdout.text().split(END)).toEqual([expect.anything(), expect.stringContaining("r1")]);
  expect(top.stderr.text()).toContain("a bug in relayctl: TypeError");
});
