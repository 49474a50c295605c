import type { Config } from "../../../src/config/config.ts";
import { exited, exitedSaying } from "../../helpers/exited.ts";
import { SERVER, TOKEN } from "../../helpers/test-app.ts";
import { EMPTY, LOCAL, runWith } from "../context/stored-world.ts";

const STORED: Config = { version: 1, current: "default", contexts: { default: { server: LOCAL, token: TOKEN } } };

test("shows the source of each setting, and that the token works", async () => {
  const { stdout, requests } = await exited(0, runWith(["auth", "status"], { terminal: true, config: STORED }));
  expect(stdout).toMatchInlineSnapshot(`
    "[2mcontext[22m          default                 from config.json
    [2mserver[22m           http://127.0.0.1:8080   from context default
    [2mtoken[22m            set, not shown          from context default, bound to this server
    [2mchecked[22m          ok, 0 ms
    [2mrelayers[22m         may be read
    [2mtransactions[22m     may be read
    [2mnotifications[22m    may be read
    [2msigners[22m          may be read
    [2mnetworks[22m         may be read
    [2mplugins[22m          may be read
    "
  `);
  expect(requests.map(({ method }) => method)).toEqual(Array(6).fill("GET"));
});

test("prints an object for a script", async () => {
  const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };
  const { stdout } = await runWith(["auth", "status", "-o", "json"], { env });
  expect(JSON.parse(stdout)).toEqual({
    context: null,
    context_from: null,
    server: SERVER,
    server_from: "RELAYCTL_SERVER",
    token: "variable",
    token_from: "RELAYCTL_TOKEN",
    token_bound_to: null,
    checked: "ok",
    relayers: 8,
    token_store: null,
    token_expires_at: null,
    routes: ["relayers", "transactions", "notifications", "signers", "networks", "plugins"].map((group) => ({
      group,
      readable: true,
      message: null,
    })),
  });
});

test("shows known settings along with an error", async () => {
  const { exitCode, stdout, stderr, requests } = await runWith(
    ["auth", "status", "--server", "https://other.example"],
    { config: STORED },
  );
  expect([exitCode, stdout, requests]).toEqual([4, "", []]);
  expect(stderr).toMatchInlineSnapshot(`
    "context   default  from config.json
    server    https://other.example  from --server
    token     set, not shown  from context default, bound to http://127.0.0.1:8080
    error: the token of context default is for http://127.0.0.1:8080, not for https://other.example; nothing was sent
      hint: relayctl auth login --context NAME --server https://other.example
    "
  `);
});

test("suggests how to configure a server if there is none", () =>
  exitedSaying(2, runWith(["auth", "status"], { config: EMPTY }), "hint: relayctl auth login"));

test("rejects --demo", async () => expect((await runWith(["auth", "status", "--demo"])).exitCode).toBe(2));
