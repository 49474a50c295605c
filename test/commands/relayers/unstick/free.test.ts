import type { QueueStep } from "../../../../src/chain/queue/diagnosis.ts";
import { chooseStep } from "../../../../src/commands/relayers/unstick/free.ts";
import { RelayctlError } from "../../../../src/errors.ts";
import { exited, exitedSaying } from "../../../helpers/exited.ts";
import { memoryJournal } from "../../../helpers/memory/journal.ts";
import { SERVER, TOKEN } from "../../../helpers/test-app.ts";
import { jam, MALFORMED, TOO_LOW } from "./jam.ts";

const UNSTICK = "relayers unstick local-1";

const RECORDED = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_JOURNAL: "/journal" };

/** The writes of a run, as method and the last part of the path. */
function writesOf(writes: readonly { method: string; target: string }[]): string[] {
  return writes
    .filter(({ target }) => !target.endsWith("/rpc"))
    .map(({ method, target }) => `${method} ${target.split("/").at(-1)}`);
}

test("frees four transactions that wait for one that can never be signed", async () => {
  const { send, run, statuses, pass } = jam();
  const [bad = "", ...good] = await send(MALFORMED, {}, {}, {});
  const { stdout, stderr, writes } = await exited(0, run(`${UNSTICK} --yes -o json`));
  expect(writesOf(writes)).toEqual([`PUT ${bad}`]);
  expect(stderr).toMatch(/^local-1 in .* is free again: nonce 0 and the 3 transactions after it were mined$/m);
  expect(JSON.parse(stdout)).toMatchObject({
    findings: [],
    stuck: false,
    taken: [{ action: "replace-by-nothing", nonce: 0, id: bad }],
  });
  await pass(30);
  expect(await statuses(...good)).toEqual(["confirmed", "confirmed", "confirmed"]);
});

test("sends one again that pays less than the base fee, and then helps the next one", async () => {
  const { send, run, statuses, pass } = jam();
  const [low = "", bad = "", last = ""] = await send(TOO_LOW, MALFORMED, {});
  const { stdout, writes } = await exited(0, run(`${UNSTICK} --yes -o json`));
  expect(writesOf(writes)).toEqual([`PUT ${low}`, `PUT ${bad}`]);
  expect(JSON.parse(stdout).taken).toEqual([
    { action: "bump", nonce: 0, id: low },
    { action: "replace-by-nothing", nonce: 1, id: bad },
  ]);
  await pass(30);
  expect(await statuses(low, last)).toEqual(["confirmed", "confirmed"]);
});

test("waits until the service fills a gap", async () => {
  const { send, run, cancel, statuses, pass } = jam();
  const [bad = "", good = ""] = await send(MALFORMED, {});
  await cancel(bad);
  const { writes } = await exited(0, run(`${UNSTICK} --yes`));
  expect(writesOf(writes)).toEqual([]);
  await pass(30);
  expect(await statuses(good)).toEqual(["confirmed"]);
});

const CAPPED = { relayer: { policies: { eip1559_pricing: true, gas_price_cap: 600_000_000 } } };

test("gives up no payment without consent to that", async () => {
  const { send, run } = jam(CAPPED);
  await send({}, {});
  const { stderr, writes } = await exited(6, run(`${UNSTICK} --yes`));
  expect(writesOf(writes)).toEqual([]);
  expect(stderr).toContain("relayctl relayers unstick local-1 --cancel");
  expect(stderr).toContain("hint: relayctl relayers unstick local-1 --raise-cap");
});

test("raises the cap with --raise-cap, and restores it", async () => {
  const { send, run, statuses, pass, state } = jam(CAPPED);
  const [low = "", next = ""] = await send({}, {});
  const { writes } = await exited(0, run(`${UNSTICK} --yes --raise-cap`));
  expect(writesOf(writes).slice(0, 3)).toEqual(["PATCH local-1", `PUT ${low}`, "PATCH local-1"]);
  expect(state.relayers.get("local-1")).toMatchObject({ policies: { gas_price_cap: 600_000_000 } });
  await pass(30);
  expect(await statuses(low, next)).toEqual(["confirmed", "confirmed"]);
});

test("cancels a payment with --cancel if nothing else helps", async () => {
  const { send, run, statuses, pass } = jam(CAPPED);
  const [low = ""] = await send({});
  const { writes } = await exited(0, run(`${UNSTICK} --yes --cancel`));
  expect(writesOf(writes)).toEqual([`DELETE ${low}`]);
  await pass(30);
  expect(await statuses(low)).toEqual(["canceled"]);
});

test("asks before it cancels a payment, and sends nothing after a no", async () => {
  const { send, run } = jam(CAPPED);
  const [low = ""] = await send({});
  const { writes, questions } = await exited(3, run(UNSTICK, { terminal: true, answers: [false] }));
  expect(questions).toEqual([`Cancel transaction ${low} of local-1 in ${SERVER}?`]);
  expect(writesOf(writes)).toEqual([]);
});

test("asks before each step on a terminal", async () => {
  const { send, run } = jam();
  const [low = "", bad = ""] = await send(TOO_LOW, MALFORMED, {});
  const { questions } = await exited(0, run(UNSTICK, { terminal: true, answers: [true, true] }));
  expect(questions).toEqual([
    `Bump transaction ${low} of local-1 in ${SERVER}?`,
    `Replace transaction ${bad} of local-1 in ${SERVER}?`,
  ]);
});

test("requires --yes in a script before it waits or sends", async () => {
  const { send, run } = jam();
  await send(MALFORMED, {});
  const { stderr, writes } = await exited(3, run(UNSTICK));
  expect(writesOf(writes)).toEqual([]);
  expect(stderr).toContain(`hint: relayctl ${UNSTICK} --yes`);
});

test("says that only a restart helps if the worker that sends has stopped", async () => {
  const { send, run, pass } = jam({
    failures: [{ method: "WORKER", path: "submit", status: "dead", rate: 1 } as never],
  });
  await send({}, {});
  await pass(90);
  const { stderr, writes } = await exited(6, run(`${UNSTICK} --yes`));
  expect(stderr).toContain("only a restart of the service helps");
  expect(writesOf(writes)).toEqual([]);
});

test("ends with 15 if the service restarts after a step, and loses what is not mined", async () => {
  const { send, run, state, service } = jam();
  const [bad = ""] = await send(MALFORMED);
  let isReplaced = false;
  const restarting: typeof service = async (request) => {
    if (isReplaced) state.transactions.remove(bad);
    const response = await service(request);
    isReplaced ||= request.method === "PUT";
    return response;
  };
  const { stderr, writes } = await exited(15, run(`${UNSTICK} --yes`, { service: restarting }));
  expect(writesOf(writes)).toEqual([`PUT ${bad}`]);
  expect(stderr).toContain("error: nonce 0 of local-1 is still not used on the chain\n");
  expect(stderr).toContain(`the service does not have transaction ${bad} anymore`);
  expect(stderr).not.toContain("is free again");
});

test("waits for the cancellation of one that had no nonce when its step was chosen", async () => {
  const { send, run, service, statuses, pass } = jam();
  const [late = ""] = await send(TOO_LOW);
  await pass(60);
  let isCanceled = false;
  const slow: typeof service = async (request) => {
    const response = await service(request);
    isCanceled ||= request.method === "DELETE";
    if (isCanceled || request.method !== "GET") return response;
    const text = new TextDecoder().decode(response.body);
    const unsigned = text
      .replaceAll('"status":"sent"', '"status":"pending"')
      .replaceAll(/"nonce":0/g, '"nonce":null')
      .replaceAll(/"hash":"0x[0-9a-f]+"/g, '"hash":null');
    return { ...response, body: new TextEncoder().encode(unsigned) };
  };
  const { stderr, writes } = await exited(0, run(`${UNSTICK} --yes --cancel`, { service: slow }));
  expect(writesOf(writes)).toEqual([`DELETE ${late}`]);
  expect(stderr).toContain("\nwaiting until nonce 0 is used on the chain\n");
  await pass(30);
  expect(await statuses(late)).toEqual(["canceled"]);
});

test("names --cancel if what it waits for is never signed, and cancels with it", async () => {
  const { send, run, service, pass } = jam();
  const [lost = ""] = await send(TOO_LOW);
  await pass(60);
  const unsigned: typeof service = async (request) => {
    const response = await service(request);
    if (request.method !== "GET") return response;
    const text = new TextDecoder()
      .decode(response.body)
      .replaceAll('"status":"sent"', '"status":"pending"')
      .replaceAll(/"(hash|max_fee_per_gas|max_priority_fee_per_gas)":("\w+"|\d+)/g, '"$1":null');
    return { ...response, body: new TextEncoder().encode(text) };
  };
  const waited = await exited(15, run(`${UNSTICK} --yes --deadline 1s`, { service: unsigned }));
  expect(writesOf(waited.writes)).toEqual([]);
  expect(waited.stderr).toContain(`hint: relayctl ${UNSTICK} --cancel\n`);
  const { writes, stderr } = await run(`${UNSTICK} --yes --cancel`, { service: unsigned });
  expect(writesOf(writes), stderr).toEqual([`DELETE ${lost}`]);
});

test("ends with 15 if the time runs out after a step, with the command that continues", async () => {
  const { send, run } = jam();
  await send(MALFORMED, {});
  await exitedSaying(15, run(`${UNSTICK} --yes --deadline 1s`), `hint: relayctl ${UNSTICK}`);
});

test.each([
  { what: "one that can never be signed", body: MALFORMED },
  { what: "one that pays too little", body: TOO_LOW },
])("twice at once sends $what again once, and both runs end well", async ({ body }) => {
  const { send, run } = jam();
  const [bad = ""] = await send(body, {}, {});
  const world = { journal: memoryJournal(), env: RECORDED };
  const runs = await Promise.all([run(`${UNSTICK} --yes`, world), run(`${UNSTICK} --yes`, world)]);
  expect(
    runs.map(({ exitCode }) => exitCode),
    runs.map(({ stderr }) => stderr).join(),
  ).toEqual([0, 0]);
  expect(runs.flatMap(({ writes }) => writesOf(writes))).toEqual([`PUT ${bad}`]);
});

test("diagnoses again after another run was sending the transaction", async () => {
  const { send, run } = jam();
  const [low = ""] = await send(TOO_LOW, {});
  const journal = memoryJournal();
  let tries = 0;
  const held: typeof journal = {
    ...journal,
    exclusively: (key, work) =>
      ++tries === 1 ? Promise.reject(new RelayctlError("conflict", "in use")) : journal.exclusively(key, work),
  };
  const { stderr, writes } = await exited(0, run(`${UNSTICK} --yes`, { journal: held, env: RECORDED }));
  expect(stderr).toContain(`note: another run is sending transaction ${low} again; nothing was sent\n`);
  expect(writesOf(writes)).toEqual([`PUT ${low}`]);
});

test("takes the step although the lock cannot be written", async () => {
  const { send, run } = jam();
  const [bad = ""] = await send(MALFORMED, {});
  const full = { ...memoryJournal(), exclusively: () => Promise.reject(new RelayctlError("io", "no space left")) };
  const { stderr, writes } = await exited(0, run(`${UNSTICK} --yes`, { journal: full, env: RECORDED }));
  expect(stderr).toContain(`warning: another run could send ${bad} at the same time: no space left`);
  expect(writesOf(writes)).toEqual([`PUT ${bad}`]);
});

test("says that an earlier step was applied if a later one is declined", async () => {
  const { send, run } = jam();
  await send(TOO_LOW, MALFORMED, {});
  const { stderr } = await exited(13, run(UNSTICK, { terminal: true, answers: [true, false] }));
  expect(stderr).toContain("\nan earlier step was applied, but the next one was not: Canceled. Nothing was sent.");
});

const bump: QueueStep = { action: "bump", id: "tx-1", speed: "fastest" };
const raiseCap: QueueStep = { action: "raise-cap", id: "tx-1", cap: 2n, speed: "fastest" };

test.each([
  [true, raiseCap],
  [false, bump],
])("with --raise-cap %s, where the service may keep a bump back", (raisesCap, chosen) => {
  const steps = [bump, raiseCap, { action: "cancel", id: "tx-1", discards: true } as const];
  expect(chooseStep({ steps }, { cancels: true, raisesCap })).toBe(chosen);
});
