import { type Transport, TransportFailure } from "../../src/client/transport/transport.ts";
import type { WireReply, WireRequest } from "../../src/contract/wire.ts";
import { worldOf } from "../cli/contexts/world.ts";
import { ward, well } from "../commands/doctor/sick.ts";
import { cli, says, type World } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { refusal, reply } from "../helpers/service/reply.ts";

/** How a service fails, and the code of a command that could read nothing. */
const FAILURES: readonly (readonly [title: string, code: number, fail: () => WireReply])[] = [
  ["a 401", 4, () => refusal(401, "Unauthorized")],
  ["a 401 of a proxy", 4, () => reply(401, "<html>login</html>")],
  ["a 403", 4, () => refusal(403, "Forbidden")],
  ["a 404", 5, () => refusal(404, "Not found")],
  ["a 404 without envelope", 7, () => reply(404, "<html>not here</html>")],
  ["a 405 of a proxy", 7, () => reply(405, "no")],
  ["a 429", 8, () => refusal(429, "Too Many Requests")],
  ["a 429 that says when", 8, () => refusal(429, "Too Many Requests", { "retry-after": "1" })],
  ["a 500", 9, () => refusal(500, "Redis error: broken pipe")],
  ["a 500 as HTML", 9, () => reply(500, "<html>oops</html>", { "content-type": "text/html" })],
  ["a 502", 9, () => reply(502, "Bad Gateway")],
  ["a 503 as HTML", 9, () => reply(503, "<html>maintenance</html>", { "content-type": "text/html" })],
  ["a redirect", 7, () => reply(302, "", { location: "/moved" })],
  ["a redirect to a sign-in page", 4, () => reply(302, "", { location: "/login" })],
  ["a sign-in page", 4, () => reply(200, "<html>sign in</html>")],
  ["a reset", 10, () => broken("reset", true)],
  ["a timeout", 10, () => broken("timeout", true)],
  ["a refused connection", 10, () => broken("connect", false)],
  ["an unknown host", 10, () => broken("dns", false)],
  ["a host without TLS", 10, () => broken("tls", false)],
  ["a certificate that is not trusted", 10, () => broken("certificate", false)],
  ["no JSON", 9, () => reply(200, "<html>welcome</html>")],
  ["JSON that is cut off", 9, () => reply(200, '{"success":true,"data":[{"id":')],
  ["data of another shape", 9, () => reply(200, '{"success":true,"data":"x","error":null}')],
  ["no data", 9, () => reply(200, '{"success":true,"data":null,"error":null}')],
  ["a success that is none", 7, () => reply(200, '{"success":false,"data":null,"error":"no"}')],
];

function broken(reason: "reset" | "timeout" | "connect" | "dns" | "tls" | "certificate", sent: boolean): never {
  throw new TransportFailure(reason, `broken: ${reason}`, { sent });
}

const PARTS: Readonly<Record<string, (request: WireRequest) => boolean>> = {
  everything: () => true,
  "everything but the health": ({ target }) => !/health|ready/.test(target),
  "the relayers": ({ target }) => /\/relayers(?:\?|$)/.test(target),
  "all other lists": ({ target }) => /\/(?:networks|notifications|signers|plugins)(?:\?|$)/.test(target),
  "whatever is read of one relayer": ({ target }) => /\/relayers\/[^/?]+/.test(target),
  "whatever is read of half of the relayers": ({ target }) => /\/relayers\/r[13]\b/.test(target),
  statuses: ({ target }) => /\/status\b/.test(target),
  transactions: ({ target }) => /\/transactions\b/.test(target),
  nodes: ({ target }) => /\/rpc\b/.test(target),
  "the node of one relayer": ({ target }) => /\/relayers\/r3\/rpc\b/.test(target),
};

const addressOf = (digit: string) => `0x${digit.repeat(40)}`;
const RELAYERS = [
  well({ id: "r1" }),
  well({ id: "r2", address: addressOf("2") }),
  well({ id: "r3", address: addressOf("3"), network: "sepolia" }),
  well({ id: "r4", address: addressOf("4") }),
];
const FLEET = JSON.stringify({
  relayers: [{ id: "r1", name: "R1", network: "mainnet", network_type: "evm", signer_id: "s1", paused: false }],
  notifications: [{ id: "ops", type: "webhook", url: "https://hooks.example.org/ops" }],
  signers: [{ id: "s1", type: "local", config: { path: "keys/s1.json", passphrase: { type: "env", value: "KEY" } } }],
});

const COMMANDS = [
  "doctor",
  "doctor -o json",
  "doctor r1 r3 --junit report.xml",
  "relayers status",
  "relayers status r1 r3 -o json",
  "relayers status --check",
  "relayers status --check --crit balance<1wei --crit nonce_drift>5 --crit oldest>1d",
  "relayers status -o prom",
  "drift -f fleet.json",
  "plan -f fleet.json",
];

async function runWith(line: string, fail: () => WireReply, isFailing: (request: WireRequest) => boolean) {
  const { world } = ward({ relayers: RELAYERS });
  let met = 0;
  const lineFiles = new Map<string, string[]>();
  const service: World["service"] = async (request, limits) => {
    if (!isFailing(request)) return await world.service(request, limits);
    met++;
    return fail();
  };
  const ran = await cli(line, { ...world, service, lineFiles, files: { "fleet.json": FLEET } });
  return { ...ran, met, report: lineFiles.get("report.xml")?.join("\n") };
}

/** Whether the report for programs shows a skipped check, or a failed one, with words. */
function showsWhy({ stdout, report }: { stdout: string; report: string | undefined }): boolean {
  if (report !== undefined) return /<(?:skipped|failure [^>]*) ?message="[^"]+/.test(report);
  if (!stdout.startsWith('{"findings"')) return true;
  const { findings, skipped } = JSON.parse(stdout);
  return [...findings, ...skipped].some(({ message, reason }) => (message ?? reason) !== "");
}

/** The failures that a command meets at a part of the service. */
function failuresFor(line: string, part: string) {
  // A service before v1.4 does not have these lists.
  const isOld = (title: string) =>
    part === "all other lists" && title === "a 404 without envelope" && line.startsWith("doctor");
  return sampled(FAILURES, 24, part.length + line.length).filter(([title]) => !isOld(title));
}

describe.each(COMMANDS.map((line, at) => [line, at] as const))("%s", (line, at) => {
  test.each(sampled(Object.keys(PARTS), 2, at))("is never healthy if it cannot read %s", async (part) => {
    const wrong: string[] = [];
    for (const [title, , fail] of failuresFor(line, part)) {
      const ran = await runWith(line, fail, PARTS[part] as (request: WireRequest) => boolean);
      if (ran.met > 0 && [0, 1].includes(ran.exitCode)) wrong.push(`${title}: ${ran.exitCode}: ${ran.stderr}`);
      if (ran.met > 0 && !showsWhy(ran)) wrong.push(`${title}: does not show what was not read: ${ran.stdout}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each(sampled(FAILURES, 8, at))(
    "ends with the code of the failure if all there is is %s",
    async (_, code, fail) => {
      const ran = await runWith(line, fail, () => true);
      expect(ran.exitCode, ran.stderr).toBe(code);
    },
  );

  test("is healthy if all can be read", async () => {
    const ran = await runWith(
      line,
      () => broken("reset", true),
      () => false,
    );
    expect(ran.exitCode, ran.stderr + ran.stdout).toBe(line.startsWith("plan") || line.startsWith("drift") ? 20 : 0);
  });
});

describe("relayers list --fields pending", () => {
  const isStatus = PARTS.statuses as (request: WireRequest) => boolean;

  test.each(sampled(FAILURES, 3))("ends with the code of the failure if each status is %s", async (_, code, fail) => {
    for (const line of ["relayers list --fields id,pending", "relayers list --sort pending -o json"])
      expect(await runWith(line, fail, isStatus)).toMatchObject({ exitCode: code });
  });

  test("is a list with a note if some are known", async () => {
    const isHalf = PARTS["whatever is read of half of the relayers"] as typeof isStatus;
    const ran = await runWith("relayers list --fields id,pending", () => refusal(500, "no node"), isHalf);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "note: status of r1, r3 not known: no node\n" });
  });
});

test.each([
  "relayers status --check",
  "relayers status --check --brief",
  "relayers status --check --crit balance<1wei",
  "relayers status --check --where health.state!=active",
])("a check that examined no relayer is not healthy: %s", (line) =>
  says(13, line, "the check failed: no relayer was examined", ward({ relayers: [] }).world),
);

/** The same in two contexts, of which one or both fail. The tests' clock never ends the wait of a second that one lets the other have. */
const IN_CONTEXTS = FAILURES.filter(([title]) => title !== "a 429 that says when");

describe.each(["doctor", "relayers status", "relayers status --check", "relayers list"])(
  "%s in two contexts",
  (line) => {
    test.each(sampled(IN_CONTEXTS, 8, line.length))(
      "is never healthy if one has nothing but %s, and ends with its code if both do",
      async (_, code, fail) => {
        for (const failing of [["eu"], ["us"], ["eu", "us"]]) {
          const { world } = ward({ relayers: RELAYERS });
          const { service = fail, env: _env, config: _config, ...rest } = world;
          const services = Object.fromEntries(
            ["eu", "us"].map((name) => [name, failing.includes(name) ? async () => fail() : (service as Transport)]),
          );
          const ran = await cli(`${line} -c eu,us`, worldOf(services, rest).world);
          expect([0, 1], ran.stderr).not.toContain(ran.exitCode);
          if (failing.length === 2) expect(ran.exitCode, ran.stderr).toBe(code);
        }
      },
    );
  },
);
