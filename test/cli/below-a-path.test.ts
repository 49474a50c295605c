import { allCommands } from "../../src/cli/all-commands.ts";
import { sendsRequest } from "../../src/cli/request-flags.ts";
import type { Transport } from "../../src/client/transport/transport.ts";
import type { WireRequest } from "../../src/contract/wire.ts";
import { cli, TOKEN, type World } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { testServer } from "../helpers/service/test-server.ts";
import { SURROUNDINGS } from "./example-surroundings.ts";
import { typed } from "./typed-examples.ts";

const ROOT = "https://gw.example.org";
const BELOW = `${ROOT}/relayer/v1-prod`;

/** The examples that need nothing but a service. */
const EXAMPLES = (await allCommands())
  .filter(([path, { sends }]) => sendsRequest(sends) && !SURROUNDINGS[path])
  .flatMap(([, { examples }]) => examples)
  .filter(
    (example) => !SURROUNDINGS[example] && !/ (?:-c|--context|--server|--demo|--token-file) /.test(`${example} `),
  );

/** Runs a line with a service that exists at one address only, and returns all that was seen of it. */
async function ranAt(server: string, argv: readonly string[]) {
  const requests: WireRequest[] = [];
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const embedded = testServer({ clock });
  const service: Transport = async (request) => {
    requests.push(request);
    return await embedded(request);
  };
  const elsewhere: Transport = async () => {
    throw new Error("sent to another address");
  };
  const env = { RELAYCTL_SERVER: `${server}/api/v1/`, RELAYCTL_TOKEN: TOKEN };
  const world: World = { env, clock, interrupt, nodes: { [server]: service }, service: elsewhere };
  const { exitCode, stdout, stderr } = await cli(argv, world);
  return { exitCode, stdout, stderr, requests };
}

test.each(sampled(EXAMPLES, 30, 4))("does below a path what it does at the root: %s", async (example) => {
  for (const more of [[], ["--curl"]]) {
    const argv = [...typed(example).argv, ...more];
    const [root, below] = [await ranAt(ROOT, argv), await ranAt(BELOW, argv)];
    const moved = (text: string) => text.replaceAll(BELOW, ROOT);
    expect({ ...below, stdout: moved(below.stdout), stderr: moved(below.stderr) }).toEqual(root);
    expect(below.stdout + below.stderr).not.toMatch(/gw\.example\.org(?!\/relayer\/v1-prod)/);
  }
});

test("a token of a context is for the path, too", async () => {
  const config = { version: 1 as const, contexts: { prod: { server: `${BELOW}/`, token: TOKEN } } };
  const list = async (server: string) => await cli(`relayers list -c prod --server ${server}`, { env: {}, config });
  expect((await list(`${BELOW}/api/v1`)).exitCode).toBe(0);
  for (const other of [ROOT, `${ROOT}/relayer/v1-test`, `${BELOW}/more`]) {
    const { exitCode, stderr, requests } = await list(other);
    expect([exitCode, requests]).toEqual([4, []]);
    expect(stderr).toContain(`the token of context prod is for ${BELOW}, not for ${other}; nothing was sent`);
  }
});
