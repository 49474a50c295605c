import { memoryStore } from "../../src/embedded-server/state/store.ts";
import { cli, exited, SERVER, TOKEN } from "../helpers/cli.ts";
import { seedState } from "../helpers/seed-state.ts";

const TX = "tx get eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const SERVICE = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };
const PAGE = /^https:\/\/evm-mainnet\.explorer\.example\.org\/(?:tx|address)\/0x[0-9a-fA-F]+\n$/;

/** Runs a line, and returns the pages that it opened too. */
async function open(line: string, world: Parameters<typeof cli>[1] = {}) {
  const opened: string[] = [];
  const ran = await cli(line, { ...world, openPage: async (url) => void opened.push(url) });
  return { ...ran, opened };
}

test.each([`${TX} --web`, "relayers get eth-main-1 --web"])(
  "%s prints the URL and opens it on a terminal",
  async (line) => {
    const { stdout, opened, exitCode } = await open(line, { terminal: true });
    expect(stdout).toMatch(PAGE);
    expect(opened).toEqual([stdout.trim()]);
    expect(exitCode).toBe(0);
  },
);

test.each([
  ["in a pipe", {}],
  ["in CI", { terminal: true, env: { ...SERVICE, CI: "true" } }],
  ["without any terminal", { terminal: false }],
  ["if only stdin is a terminal", { terminal: true, stdoutTerminal: false }],
  ["over SSH with a terminal", { terminal: true, env: { ...SERVICE, SSH_TTY: "/dev/pts/1" } }],
  ["over SSH with another client", { terminal: true, env: { ...SERVICE, SSH_CLIENT: "10.0.0.1 1 22" } }],
  ["over SSH", { terminal: true, env: { ...SERVICE, SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" } }],
])("%s the URL is printed, and nothing is opened", async (_, world) => {
  const { stdout, opened } = await open(`${TX} --web`, world);
  expect(stdout).toMatch(PAGE);
  expect(opened).toEqual([]);
});

test("the URL is printed also if the browser cannot be started", async () => {
  const ran = await cli(`${TX} --web`, { terminal: true, openPage: async () => "spawn xdg-open ENOENT" });
  expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(PAGE) });
  expect(ran.stderr).toContain("warning: the browser could not be started: spawn xdg-open ENOENT");
});

test("without an explorer nothing is printed or opened: exit code 13", async () => {
  const state = seedState("demo");
  const network = state.networks.get("evm:mainnet");
  state.networks.put({ ...network, id: "evm:mainnet", chain_id: 424_242, explorer_urls: ["http://evil.example"] });
  const ran = await open(`${TX} --web`, { terminal: true, store: memoryStore(state) });
  expect(ran).toMatchObject({ exitCode: 13, stdout: "", opened: [] });
  expect(ran.stderr).toContain('no explorer is known for the network "mainnet"');
});

test.each([
  [`${TX} --web -o json`, "--web: prints a URL, and cannot be combined with -o"],
  [`${TX} --web --on-chain`, "--web: prints a URL, and cannot be combined with --on-chain"],
  ["relayers get eth-main-1 base-hot --web", "--web: opens one page; specify one ID"],
])("%s is refused before anything is sent", async (line, words) => {
  const { stderr, requests, opened } = await exited(2, open(line));
  expect(stderr).toContain(words);
  expect([...requests, ...opened]).toEqual([]);
});
