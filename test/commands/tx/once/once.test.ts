import { objectIn } from "../../../../src/contract/json.ts";
import { RelayctlError } from "../../../../src/errors.ts";
import { exited, exitedSaying, SERVER, says, TOKEN } from "../../../helpers/cli.ts";
import { intentsIn, memoryJournal, outcomesIn } from "../../../helpers/memory/journal.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { lost, notSent } from "../../../helpers/service/scripted-service.ts";
import { altered } from "../../doctor/sick.ts";
import { type Fault, isSend, KEYED, keyedWorld, loseRequest, PAY, RECEIVER } from "./keyed-world.ts";

const BY_FIRST = /first sent by ada@console, at .*, in run 1/;

/** The response to the transaction is lost after the service accepted it. */
const loseResponse: Fault = async (request, answer) => {
  const answered = await answer();
  if (isSend(request)) throw lost();
  return answered;
};

describe("the first run with a key", () => {
  test("sends, and has its intent with the key on the disk before", async () => {
    const world = keyedWorld();
    const ran = await world.run(KEYED, {}, async (request, answer) => {
      if (isSend(request)) expect(world.journal.synced).toMatchObject([{ once: "payout-7", operation: "tx.send" }]);
      return await answer();
    });
    expect(ran).toMatchObject({ exitCode: 0, writes: [{ method: "POST" }] });
    expect(world.accepted).toHaveLength(1);
  });

  test("sends nothing if the journal cannot be written", async () => {
    const world = keyedWorld(memoryJournal({ fault: () => new RelayctlError("io", "journal: the disk is full") }));
    const ran = await exited({ exitCode: 74, writes: [] }, world.run(KEYED));
    expect(ran.stderr).toContain("the journal, which --once requires, cannot be written: journal: the disk is full");
    expect(ran.stderr).toContain("nothing was sent");
  });

  test("sends nothing without a journal", async () => {
    for (const env of [{ RELAYCTL_JOURNAL: "off" }, { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN }]) {
      const world = keyedWorld();
      const line = "RELAYCTL_SERVER" in env ? KEYED : `${KEYED} -c prod`;
      const config = { version: 1 as const, contexts: { prod: { server: SERVER, token: TOKEN } } };
      await says({ exitCode: 2, requests: [] }, `${line} --yes`, "--state", { env, config, journal: world.journal });
    }
  });

  test("needs no other journal with --state", async () => {
    const world = keyedWorld();
    const off = { env: { RELAYCTL_JOURNAL: "off" } };
    const first = await world.run(`${KEYED} --state keys`, off);
    const second = await world.run(`${KEYED} --state keys`, off);
    expect([first.exitCode, second.exitCode, world.accepted.length]).toEqual([0, 0, 1]);
  });

  test.each([
    ...[["''"], ["' '"], ["'a\tb'"], ["'a\u0000b'"], ["k".repeat(201)]],
    ...[["'a\u00a0b'"], ["a\ufe0f"], ["a\u3164"]],
  ])("rejects the key %j", async (key) => {
    const world = keyedWorld();
    await exitedSaying({ exitCode: 2, requests: [] }, world.run(`${PAY} --once ${key}`), "--once");
    expect(world.journal.entries).toEqual([]);
  });

  const FORMS = ["\u00e9\u1e69", "e\u0301s\u0323\u0307", "\u00e9s\u0307\u0323"];
  test.each(FORMS)("is the same in another normalization than %j, in an older journal too", async (form) => {
    const world = keyedWorld();
    await world.run(`${PAY} --once ${form}`);
    for (const other of FORMS) expect(await world.run(`${PAY} --once ${other}`)).toMatchObject({ exitCode: 0 });
    expect(world.accepted).toHaveLength(1);
    const [, older = ""] = FORMS;
    const entries = world.journal.entries.map((entry) => ("once" in entry ? { ...entry, once: older } : entry));
    const later = keyedWorld(memoryJournal({ entries }));
    expect((await later.run(`${PAY} --once ${form} --dry-run`)).stderr).toContain("nothing would be sent");
  });

  test.each([["k".repeat(200)], ["'Auszahlung für Müller, Nr. 7'"]])("takes the key %j", async (key) => {
    const world = keyedWorld();
    expect(await world.run(`${PAY} --once ${key}`)).toMatchObject({ exitCode: 0 });
    expect(await world.run(`${PAY} --once ${key}`)).toMatchObject({ exitCode: 0, writes: [] });
  });

  test("rejects --state without a key", async () =>
    expect(await keyedWorld().run(`${PAY} --state keys`)).toMatchObject({ exitCode: 2, requests: [] }));
});

const TO_RELAYER = KEYED.replace(`--to ${RECEIVER} --value 0.01eth`, "--to-relayer base-hot --value 1wei");
const TO_OTHER = TO_RELAYER.replace("--to-relayer base-hot", "--to-relayer eth-main-1");

describe("a later run", () => {
  test("sends nothing, and prints what the first run printed", async () => {
    const world = keyedWorld();
    const first = await world.run(`${KEYED} -o json`);
    const second = await exited({ exitCode: 0, writes: [] }, world.run(`${KEYED} -o json`));
    expect(Object.keys(JSON.parse(second.stdout))).toEqual(Object.keys(JSON.parse(first.stdout)));
    expect(JSON.parse(second.stdout).id).toBe(world.accepted[0]);
    expect(second.stderr).toContain(`already sent in prod: transaction ${world.accepted[0]}`);
    expect(second.stderr).toMatch(BY_FIRST);
    expect(second.stderr).toContain(`follow: relayctl -c prod tx get base-hot ${world.accepted[0]}`);
    expect(intentsIn(world)).toHaveLength(1);
  });

  test("says that a payment is confirmed by its record, since it does not ask the chain", async () => {
    const world = keyedWorld();
    await world.run(KEYED);
    const confirm = altered(/transactions\/[^/?]+$/, /"status":"\w+"/g, '"status":"confirmed"');
    const later = await world.run(KEYED, {}, async (request, answer) => confirm(request, await answer()));
    expect(later.stderr).toContain(`${world.accepted[0]}, confirmed (by the record); nothing was sent now`);
  });

  test("asks for no confirmation, and ignores a pause", async () => {
    const world = keyedWorld();
    await world.run(KEYED);
    await world.run("relayers pause base-hot");
    expect(await world.run(KEYED)).toMatchObject({ exitCode: 0, questions: [] });
  });

  test("waits as the first run would", async () => {
    const world = keyedWorld();
    await exited(0, world.run(KEYED));
    const second = await exited({ exitCode: 0, writes: [] }, world.run(`${KEYED} --wait --no-chain`));
    expect(JSON.parse(second.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      id: world.accepted[0],
      status: "confirmed",
    });
  });

  test.each([
    ["", 0, /"to": "0x/],
    [" --wait", 15, /"to": "0x/],
  ])("shows what is known if the record was deleted, and sends nothing:%s", async (wait, exitCode, stdout) => {
    const world = keyedWorld();
    await world.run(KEYED);
    const gone: Fault = async (request, answer) =>
      request.target.endsWith(world.accepted[0] ?? "")
        ? reply(404, { success: false, data: null, error: `Transaction with ID ${world.accepted[0]} not found` })
        : await answer();
    const unmined: Fault = async (request, answer) =>
      request.target.endsWith("/rpc") ? reply(500, { success: false }) : await gone(request, answer);
    const ran = await exited({ exitCode, writes: [] }, world.run(`${KEYED}${wait} -o json`, {}, unmined));
    expect(ran.stdout).toMatch(stdout);
    expect(ran.stderr).toMatch(BY_FIRST);
    expect(ran.stderr).toContain("whose record the service deleted; nothing was sent now");
  });

  const refused = (status: number) => () => reply(status, { success: false, data: null, error: "not now" });
  test.each([
    ["the token is refused", refused(401)],
    ["the service limits requests", refused(429)],
    ["the service fails", refused(503)],
    ["a gateway does not know the route", () => reply(404, "<html>", { "content-type": "text/html" })],
    ["no connection opens", () => Promise.reject(notSent())],
  ])("says that it was sent although %s", async (_, fail) => {
    const world = keyedWorld();
    await world.run(KEYED);
    const [id] = world.accepted;
    const ran = await exited(
      { exitCode: 0, writes: [] },
      world.run(`${KEYED} -o json`, {}, async () => await fail()),
    );
    expect(JSON.parse(ran.stdout)).toMatchObject({ id, to: RECEIVER, status: null });
    expect(ran.stderr).toContain(`already sent in prod: transaction ${id}, whose state is unknown; nothing was sent`);
    expect(ran.stderr).toMatch(BY_FIRST);
    expect(ran.stderr).toContain("warning: the state cannot be read now: ");
    expect(ran.stderr).toContain(`follow: relayctl -c prod tx get base-hot ${id}`);
    const waited = await world.run(`${KEYED} --wait --deadline 20s`, {}, async () => await fail());
    expect([waited.exitCode, waited.writes]).toEqual([15, []]);
  });

  const inFoo: Fault = async (_, answer) => {
    const answered = await answer();
    const body = new TextDecoder().decode(answered.body).replaceAll('"symbol":"ETH"', '"symbol":"FOO"');
    return { ...answered, body: Buffer.from(body) };
  };
  test.each([
    ["a receiver that is a relayer", TO_RELAYER],
    ["an amount in a coin of its own", KEYED.replace("0.01eth", "0.01foo")],
  ])("says that it was sent without a read, with %s", async (_, line) => {
    const world = keyedWorld();
    await exited(0, world.run(line, {}, inFoo));
    const ran = await exited(
      { exitCode: 0, writes: [] },
      world.run(line, {}, async () => refused(503)()),
    );
    expect(ran.stderr).toContain(`already sent in prod: transaction ${world.accepted[0]}`);
  });

  test("warns that a receiver was not compared with the first one", async () => {
    const world = keyedWorld();
    await exited(0, world.run(TO_RELAYER));
    const { to } = objectIn(intentsIn(world)[0]?.body);
    const ran = await exited(
      { exitCode: 0, writes: [] },
      world.run(TO_OTHER, {}, async () => refused(503)()),
    );
    expect(ran.stderr).toContain(
      `warning: --to-relayer eth-main-1 is not compared with the first run's receiver, ${to}: `,
    );
  });

  test("refuses a receiver that does not exist, and any after a first run without one", async () => {
    const world = keyedWorld();
    await exited(0, world.run(TO_RELAYER));
    await exited({ exitCode: 5, writes: [] }, world.run(TO_OTHER.replace("eth-main-1", "other")));
    const creating = KEYED.replace(`--to ${RECEIVER}`, "--data 0x00").replace("payout-7", "contract-7");
    await exited(0, world.run(creating.replace("21000", "90000")));
    const line = creating.replace("21000", "90000 --to-relayer base-hot");
    const ran = world.run(line, {}, async () => refused(503)());
    await exitedSaying({ exitCode: 6, writes: [] }, ran, "to: unset then, base-hot now");
  });

  const page =
    (status: number): Fault =>
    async (request, answer) =>
      isSend(request)
        ? reply(status, "<html>no</html>", { "content-type": "text/html", location: "/login" })
        : await answer();
  const limit = page(429);

  test.each([
    [302, 4],
    [307, 4],
    [404, 7],
    [407, 4],
    [429, 8],
  ])("finds the payment that a gateway passed on before it sent a %s itself", async (status, exitCode) => {
    const world = keyedWorld();
    await exited(
      exitCode,
      world.run(KEYED, {}, async (request, answer) => page(status)(request, answer).finally(answer)),
    );
    const shown = await exited({ exitCode: 0, writes: [] }, world.run(`${KEYED} --dry-run`));
    expect(shown.stderr).toContain("was refused: the transaction would be sent, unless its record is found");
    const later = await exited({ exitCode: 0, writes: [] }, world.run(KEYED));
    expect(later.stderr).toContain(`already sent in prod: transaction ${world.accepted[0]}`);
    expect(world.accepted).toHaveLength(1);
  });

  test("finds the payment of a later run that a gateway refused, too", async () => {
    const world = keyedWorld();
    await exited(4, world.run(KEYED, {}, page(302)));
    await world.pass(5 * 3_600_000);
    await exited(
      4,
      world.run(KEYED, {}, async (request, answer) => page(302)(request, answer).finally(answer)),
    );
    await world.pass(60_000);
    await world.run(KEYED);
    expect(world.accepted).toHaveLength(1);
  });

  test("sends nothing after a gateway's refusal if several records agree", async () => {
    const world = keyedWorld();
    await world.run(KEYED, {}, async (request, answer) => page(404)(request, answer).finally(answer));
    await world.run(PAY, { journal: memoryJournal() });
    await exited({ exitCode: 11, writes: [] }, world.run(KEYED));
  });

  test("leaves a key free if the service itself does not know the relayer", async () => {
    const world = keyedWorld();
    const missing: Fault = async (request, answer) =>
      isSend(request)
        ? reply(404, { success: false, data: null, error: "Relayer with ID base-hot not found" })
        : await answer();
    await exited(5, world.run(KEYED, {}, missing));
    await exited(0, world.run(KEYED.replace("0.01eth", "0.02eth")));
  });

  test("sends what a gateway refused and did not pass on", async () => {
    const world = keyedWorld();
    await exited(8, world.run(KEYED, {}, limit));
    await world.pass(2 * 60_000);
    await exited(0, world.run(KEYED));
    await exited({ exitCode: 0, writes: [] }, world.run(KEYED));
    expect(world.accepted).toHaveLength(1);
  });

  test("does not confirm another version than the one that was sent", async () => {
    const world = keyedWorld();
    await world.run(KEYED);
    const other: Fault = async (request, answer) => {
      const answered = await answer();
      if (!request.target.endsWith(world.accepted[0] ?? "")) return answered;
      const { data } = JSON.parse(new TextDecoder().decode(answered.body));
      return reply(200, { success: true, data: { ...data, value: "0x1" }, error: null });
    };
    const ran = await world.run(KEYED, {}, other);
    expect(ran.stderr).toContain("warning: the record shows another receiver, value, or data now");
  });

  test("sends again if nothing was applied", async () => {
    const world = keyedWorld();
    await exited(
      10,
      world.run(KEYED, {}, async (request, answer) => {
        if (isSend(request)) throw notSent();
        return await answer();
      }),
    );
    expect(outcomesIn(world)).toMatchObject([{ applied: "no" }]);
    expect(await world.run(KEYED)).toMatchObject({ exitCode: 0, writes: [{ method: "POST" }] });
    expect(await world.run(KEYED)).toMatchObject({ exitCode: 0, writes: [] });
    expect(world.accepted).toHaveLength(1);
  });

  test.each([
    ["another value", KEYED.replace("0.01eth", "0.02eth"), "value: 10000000000000000 then, 20000000000000000 now"],
    ["another receiver", KEYED.replace(RECEIVER, RECEIVER.replace("3c", "4d")), `to: ${RECEIVER} then`],
    ["another speed", KEYED.replace("fast", "average"), "speed: fast then, average now"],
    ["another relayer", KEYED.replace("base-hot", "eth-main-1"), "relayer: base-hot then, eth-main-1 now"],
  ])("exits with 6 for %s", async (_, line, words) => {
    const world = keyedWorld();
    await world.run(KEYED);
    await exitedSaying({ exitCode: 6, writes: [] }, world.run(line), [words, BY_FIRST, "nothing was sent"]);
  });

  test("exits with 6 for another server", async () => {
    const world = keyedWorld();
    await world.run(KEYED);
    const server = "http://127.0.0.1:9090";
    const ran = await world.run(KEYED, { config: { version: 1, contexts: { prod: { server, token: TOKEN } } } });
    expect(ran).toMatchObject({ exitCode: 6, writes: [] });
    expect(ran.stderr).toContain(`server: ${SERVER} then, ${server} now`);
  });

  test("takes the same receiver in another spelling", async () => {
    const world = keyedWorld();
    await world.run(KEYED);
    const line = KEYED.replace(RECEIVER, "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC");
    expect(await world.run(line)).toMatchObject({ exitCode: 0, writes: [] });
  });

  test("with another key is another transaction", async () => {
    const world = keyedWorld();
    await world.run(KEYED);
    await world.run(`${PAY} --once payout-8`);
    expect(world.accepted).toHaveLength(2);
  });
});

describe("after a run whose outcome is unknown", () => {
  test("finds the one record that agrees, and settles the outcome", async () => {
    const world = keyedWorld();
    expect(await world.run(KEYED, {}, loseResponse)).toMatchObject({ exitCode: 11 });
    const second = await exited({ exitCode: 0, writes: [] }, world.run(`${KEYED} -o json`));
    expect(JSON.parse(second.stdout).id).toBe(world.accepted[0]);
    expect(second.stderr).toContain("its response was lost");
    expect(outcomesIn(world).at(-1)).toMatchObject({
      applied: "yes",
      settledLater: true,
      after: { id: world.accepted[0] },
    });
    const third = await world.run(KEYED);
    expect(third.stderr).not.toContain("its response was lost");
    expect(world.accepted).toHaveLength(1);
  });

  test("finds it after a run that was killed before it knew the outcome", async () => {
    const world = keyedWorld();
    await world.run(KEYED, {}, loseResponse);
    world.journal.entries.splice(1);
    expect(await world.run(KEYED)).toMatchObject({ exitCode: 0, writes: [] });
  });

  test("never sends again after a run that was killed between the intent and the request", async () => {
    const world = keyedWorld();
    await world.run(KEYED, {}, loseRequest);
    world.journal.entries.splice(1);
    for (let run = 0; run < 3; run++) {
      const ran = await exited({ exitCode: 11, writes: [], stdout: "" }, world.run(KEYED));
      expect(ran.stderr).toContain("nothing was sent now");
      expect(ran.stderr).toMatch(BY_FIRST);
      expect(ran.stderr).toContain("relayctl -c prod tx list base-hot");
    }
    expect(world.accepted).toEqual([]);
  });

  test.each([TO_RELAYER, TO_OTHER])("stays unknown if the receiver cannot be read either: %s", async (line) => {
    const world = keyedWorld();
    await exited(11, world.run(TO_RELAYER, {}, loseRequest));
    const ran = await exited(
      { exitCode: 11, writes: [] },
      world.run(line, {}, async () => reply(503, {})),
    );
    expect(ran.stderr).toMatch(BY_FIRST);
  });

  test("sends nothing to the first receiver in place of one that cannot be read", async () => {
    const world = keyedWorld();
    const limit: Fault = async (request, answer) => (isSend(request) ? reply(429, "slow down") : await answer());
    await exited(8, world.run(TO_RELAYER, {}, limit));
    await world.pass(2 * 60_000);
    let reads = 0;
    const unread: Fault = async (request, answer) =>
      /\/relayers\/[^/]+$/.test(request.target) && reads++ === 0 ? reply(401, {}) : await answer();
    await exited({ exitCode: 4, writes: [] }, world.run(TO_RELAYER, {}, unread));
    expect(world.accepted).toEqual([]);
  });

  test("does not take a transaction of another run for its own", async () => {
    const world = keyedWorld();
    await world.run(KEYED, {}, loseRequest);
    await world.run(PAY);
    expect(await world.run(KEYED)).toMatchObject({ exitCode: 11, writes: [] });
  });

  test("does not choose between two records that agree", async () => {
    const world = keyedWorld();
    await world.run(KEYED, {}, loseResponse);
    await world.run(PAY, { journal: memoryJournal() });
    const ran = await exited({ exitCode: 11, writes: [] }, world.run(KEYED));
    for (const id of world.accepted) expect(ran.stderr).toContain(id);
  });

  test.each([
    ["canceled", (id: string) => `tx cancel base-hot ${id}`],
    [
      "replaced",
      (id: string) => `tx replace base-hot ${id} --to ${RECEIVER} --value 1wei --gas-limit 21000 --speed fast --diff`,
    ],
  ])("takes no equal record of another client for one that was %s since", async (_, change) => {
    const world = keyedWorld();
    await world.run(KEYED, {}, loseResponse);
    await world.run(PAY, { journal: memoryJournal() });
    const [own = ""] = world.accepted;
    expect((await world.run(change(own))).exitCode).toBe(0);
    const ran = await exited({ exitCode: 11, writes: [] }, world.run(KEYED));
    for (const id of world.accepted) expect(ran.stderr).toContain(id);
  });

  test("takes no replaced record for its own if those that agree belong to other runs", async () => {
    const world = keyedWorld();
    await world.run(KEYED, {}, loseRequest);
    await world.run(PAY, { journal: memoryJournal() });
    const replace = `tx replace base-hot ${world.accepted[0]} --to ${RECEIVER} --value 1wei --gas-limit 21000`;
    expect((await world.run(`${replace} --speed fast --diff`)).exitCode).toBe(0);
    await world.run(PAY);
    const ran = await exited({ exitCode: 11, writes: [], stdout: "" }, world.run(KEYED));
    expect(ran.stderr).toContain(
      `transaction ${world.accepted[0]} may have agreed with it before it was canceled or replaced`,
    );
  });

  test("takes its record although an unlike one was canceled meanwhile", async () => {
    const world = keyedWorld();
    await world.run(KEYED, {}, loseResponse);
    await world.run(PAY.replace("0.01eth", "1wei"));
    expect((await world.run(`tx cancel base-hot ${world.accepted[1]}`)).exitCode).toBe(0);
    expect(await world.run(KEYED)).toMatchObject({ exitCode: 0, writes: [] });
  });

  test("does not take a record that another unknown run may have created", async () => {
    const world = keyedWorld();
    await world.run(KEYED, {}, loseRequest);
    await world.run(`${PAY} --once payout-8`, {}, loseResponse);
    for (const key of ["payout-7", "payout-8"])
      expect(await world.run(`${PAY} --once ${key}`)).toMatchObject({ exitCode: 11, writes: [] });
  });

  test("does not take a record whose run records its outcome during the search", async () => {
    const journal = memoryJournal();
    const world = keyedWorld(journal);
    await world.run(KEYED, {}, loseRequest);
    await world.run(`${PAY} --once payout-8`);
    const late = journal.entries.pop();
    const searched: typeof journal = {
      ...journal,
      async *newestFirst(since) {
        if (late && !journal.entries.includes(late)) await journal.append(late);
        yield* journal.newestFirst(since);
      },
    };
    expect(await world.run(KEYED, { journal: searched })).toMatchObject({ exitCode: 11, writes: [] });
    expect(journal.entries).toContain(late);
  });

  test.each([
    ["value", "0.02eth", "0.01eth"],
    ["gas limit", "--gas-limit 21001", "--gas-limit 21000"],
  ])("does not take a record with another %s", async (_, other, own) => {
    const world = keyedWorld();
    await world.run(KEYED, {}, loseRequest);
    await world.run(PAY.replace(own, other), { journal: memoryJournal() });
    expect(await world.run(KEYED)).toMatchObject({ exitCode: 11, writes: [] });
  });

  test("does not take a record from before", async () => {
    const world = keyedWorld();
    await world.run(PAY, { journal: memoryJournal() });
    await world.run("tx wait base-hot --pending --no-chain");
    await world.run(KEYED, {}, loseRequest);
    expect(await world.run(KEYED)).toMatchObject({ exitCode: 11, writes: [] });
  });

  test("says that it cannot search if a read fails", async () => {
    const world = keyedWorld();
    await world.run(KEYED, {}, loseResponse);
    const ran = await world.run(KEYED, {}, async () => {
      throw lost();
    });
    expect(ran).toMatchObject({ exitCode: 11, writes: [] });
    expect(ran.stderr).toContain("cannot be searched for");
    expect(await world.run(KEYED)).toMatchObject({ exitCode: 0, writes: [] });
  });
});

test("whichever request is lost first, no series of runs sends twice", async () => {
  for (let position = 0; position < 8; position++) {
    for (const arrives of [true, false]) {
      const world = keyedWorld();
      let asked = 0;
      const fault: Fault = async (_, answer) => {
        if (asked++ !== position) return await answer();
        if (arrives) await answer();
        throw lost();
      };
      for (let run = 0; run < 4; run++) await world.run(KEYED, {}, fault);
      expect(world.accepted.length, `position ${position}`).toBeLessThanOrEqual(1);
      const last = await world.run(KEYED);
      expect([0, 11]).toContain(last.exitCode);
      expect(world.accepted).toHaveLength(last.exitCode === 0 ? 1 : 0);
    }
  }
});

describe("two runs at once", () => {
  test("send once: the second waits for the first", async () => {
    const world = keyedWorld();
    const [first, second] = await Promise.all([world.run(KEYED), world.run(KEYED)]);
    expect([first?.exitCode, second?.exitCode]).toEqual([0, 0]);
    expect(world.accepted).toHaveLength(1);
  });

  test("send at most once if the lock was lost", async () => {
    const journal = memoryJournal();
    const world = keyedWorld({ ...journal, exclusively: (_, work) => work() });
    const runs = await Promise.all([world.run(KEYED), world.run(KEYED), world.run(KEYED)]);
    expect(world.accepted.length).toBeLessThanOrEqual(1);
    for (const { exitCode } of runs) expect([0, 6, 11]).toContain(exitCode);
    expect(await world.run(KEYED)).toMatchObject({ exitCode: 0 });
    expect(world.accepted).toHaveLength(1);
  });

  test("end with 6 if another process keeps the key", async () => {
    const held = new RelayctlError("conflict", "another relayctl process holds its lock");
    const world = keyedWorld({ ...memoryJournal(), exclusively: () => Promise.reject(held) });
    const ran = await exited({ exitCode: 6, requests: [] }, world.run(KEYED));
    expect(ran.stderr).toContain("another run with --once payout-7 is in progress");
  });
});

test("sends nothing under a key that the journal would hide, since a rerun could not find it", async () => {
  const world = keyedWorld(undefined, { headers: { "X-Team": "payments-team" } });
  const ran = await exited(74, world.run(KEYED.replace("payout-7", "payments-team-7")));
  expect(ran.stderr).toContain('it hides secrets, and "once" of the payment contains one, e.g. of a header');
  expect(ran.stderr).toContain("nothing was sent");
  expect(world.accepted).toEqual([]);
});

describe("a dry run", () => {
  test("says what would happen", async () => {
    const world = keyedWorld();
    const before = await exited({ exitCode: 0, requests: [] }, world.run(`${KEYED} --dry-run`));
    expect(before.stderr).toContain("no earlier run with --once payout-7: the transaction would be sent");
    expect(world.journal.entries).toEqual([]);
    await world.run(KEYED);
    await exitedSaying({ exitCode: 0, requests: [] }, world.run(`${KEYED} --dry-run`), "nothing would be sent");
    await exited({ exitCode: 6, requests: [] }, world.run(`${KEYED.replace("0.01eth", "0.02eth")} --dry-run`));
  });

  test("says that the outcome of the first run is unknown", async () => {
    const world = keyedWorld();
    await world.run(KEYED, {}, loseRequest);
    expect((await world.run(`${KEYED} --dry-run`)).stderr).toContain(
      "may have sent its transaction: it would be searched for, and sent only if it certainly was not",
    );
  });
});
