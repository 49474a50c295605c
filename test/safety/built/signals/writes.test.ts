import { said, start } from "../../../e2e/relayctl.ts";
import { rawService, reply } from "../../../e2e/services/raw.ts";
import { chosen } from "../../../helpers/deep.ts";
import { printedError } from "../../../helpers/exited.ts";
import { APPLIED } from "../../../helpers/receipts.ts";
import { isTried, SIGNALS } from "./combination.ts";

const PAUSE = ["relayers", "pause", "eth-main-1"];
const PAUSED = reply(200, '{"success":true,"data":{"id":"eth-main-1","paused":true}}');

/** A service that holds its response to a method until the test releases it, and responds 404 to everything else. */
async function holding(method: string) {
  const happened = { asked: () => {}, answered: (_: string) => {} };
  const asked = new Promise<void>((resolve) => {
    happened.asked = resolve;
  });
  const answer = new Promise<string>((resolve) => {
    happened.answered = resolve;
  });
  const service = await rawService((request) => {
    if (!request.startsWith(`${method} `)) return reply(404, "", "text/plain");
    happened.asked();
    return answer;
  });
  return { ...service, asked, answer: (text: string) => happened.answered(text) };
}

describe.each(SIGNALS)("%s", (signal, code) => {
  test.runIf(isTried(signal, 0))("ends the program before a write, and sends nothing", async () => {
    const { env, requests } = await rawService(() => PAUSED);
    const { child, ended } = start(["relayers", "update", "eth-main-1", "-f", "-"], { env });
    // More than a pipe holds: once it is taken, the program is reading.
    await new Promise((resolve) => child.stdin?.write(" ".repeat(2_000_000), resolve));
    child.kill(signal);
    expect(await ended).toMatchObject({ exitCode: code, stdout: "" });
    expect(requests).toEqual([]);
  });

  test.runIf(isTried(signal, 1))("ends a read immediately", async () => {
    const service = await holding("GET");
    const { child, ended } = start(["relayers", "list"], service);
    await service.asked;
    child.kill(signal);
    expect(await ended).toMatchObject({
      exitCode: code,
      stdout: "",
      stderr: expect.stringMatching(/^Interrupted/),
    });
  });

  test.runIf(isTried(signal, 2))("sends nothing more while a rejected write waits for its retry", async () => {
    const { env, requests } = await rawService((request) => {
      // What an undo would restore is read first.
      if (request.startsWith("GET ")) return reply(404, "", "text/plain");
      const refused = reply(429, '{"success":false,"data":null,"message":"Too Many Requests"}');
      return refused.replace("\r\n", "\r\nretry-after: 60\r\n");
    });
    const { child, ended } = start([...PAUSE, "--verbose"], { env });
    if (child.stderr) await said(child.stderr, "again in");
    child.kill(signal);
    expect(await ended).toMatchObject({ exitCode: code, stdout: "" });
    expect(requests.filter((request) => request.startsWith("PATCH "))).toHaveLength(1);
  });
});

const PAIRS: readonly (readonly [NodeJS.Signals, NodeJS.Signals, number])[] = [
  ["SIGINT", "SIGINT", 130],
  ["SIGTERM", "SIGTERM", 143],
  ["SIGHUP", "SIGTERM", 129],
];

test.each(chosen(PAIRS, 2))(
  "%s and then %s during a write end the program with an unknown outcome",
  async (...signals) => {
    const [first, second, code] = signals;
    const service = await holding("PATCH");
    const { child, ended } = start([...PAUSE, "-o", "json"], service);
    await service.asked;
    child.kill(first);
    if (child.stderr) await said(child.stderr, "interrupt again to stop waiting");
    child.kill(second);
    const { exitCode, stdout, stderr } = await ended;
    expect([exitCode, stdout]).toEqual([code, ""]);
    const error = printedError(stderr);
    expect(error).toMatchObject({ applied: "unknown", exit_code: code, hint: expect.stringContaining("relayers get") });
    expect(service.requests.filter((request) => request.startsWith("PATCH "))).toHaveLength(1);
  },
);

test("a closed terminal sends two signals, and the outcome of a write is still reported", async () => {
  const service = await holding("PATCH");
  const { child, ended } = start(PAUSE, service);
  await service.asked;
  child.kill("SIGHUP");
  if (child.stderr) await said(child.stderr, "interrupt again to stop waiting");
  child.kill("SIGHUP");
  service.answer(PAUSED);
  const { exitCode, stderr } = await ended;
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining(APPLIED)]);
});

const answers: readonly (readonly [string, readonly string[], string])[] = [
  ["a read", ["relayers", "list", "-o", "json"], reply(200, '{"success":true,"data":[{"id":"r1"}]}')],
  ["a write", [...PAUSE, "-o", "json"], PAUSED],
  ["a refusal", PAUSE, reply(400, '{"success":false,"data":null,"message":"Bad Request"}')],
];

test.each(chosen(answers, 1))(
  "the process exits before the connection closes: %s over a connection that the service keeps open for an hour",
  async (_, args, answer) => {
    const kept = "connection: keep-alive\r\nkeep-alive: timeout=3600";
    const { env, requests } = await rawService(() => answer.replace("connection: close", kept));
    const { ended } = start(args, { env });
    expect(await ended).toMatchObject({ exitCode: expect.any(Number) });
    expect(requests).not.toEqual([]);
  },
);
