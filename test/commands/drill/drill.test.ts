import type { App } from "../../../src/app.ts";
import { TransportFailure } from "../../../src/client/transport/transport.ts";
import { INCIDENTS, type IncidentName, type IncidentPayment } from "../../../src/contract/incident.ts";
import { parseJson } from "../../../src/contract/json.ts";
import { createDrill } from "../../../src/embedded-server/drills/drill.ts";
import { serverOver } from "../../../src/embedded-server/server.ts";
import { movingStore, storeUnderConditions } from "../../../src/embedded-server/state/store.ts";
import { cli, type Ran, SERVER, says, TOKEN, type World } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { type MemoryJournal, memoryJournal } from "../../helpers/memory/journal.ts";

const PORT = 8080;

/** What a script works with: the ordinary commands, and time. */
interface Player {
  payments: readonly IncidentPayment[];
  journal: MemoryJournal;
  run(line: string, world?: World): Promise<Ran>;
  wait(milliseconds: number): Promise<void>;
}

/** Plays an incident with scripts, inside this process and without waiting, and returns what the drill prints. */
async function played(
  name: IncidentName,
  scripts: readonly ((player: Player) => Promise<unknown>)[],
  seed = 7,
  format = "-o json",
) {
  let payments: readonly IncidentPayment[] = [];
  const stop = new AbortController();
  const clock = manualClock(undefined, stop.signal);
  const journal = memoryJournal();
  let uuids = 0;
  const random = { uuid: () => `00000000-0000-4000-9000-${String(++uuids).padStart(12, "0")}`, fraction: () => 0.5 };
  const serve: App["serve"] = async ({ token, incident, listening }) => {
    if (!incident) throw new Error("serves no incident");
    const drill = createDrill(incident, clock.now);
    incident.begun(drill.payments);
    await listening(PORT);
    const store = movingStore(storeUnderConditions(drill.store, {}), clock.now);
    const server = drill.observed(serverOver({ ...drill, token, store, clock, random }));
    const service: World["service"] = async (request) => {
      try {
        const { status, headers, text } = await server(request);
        return { status, headers, body: new TextEncoder().encode(text) };
      } catch {
        throw new TransportFailure("reset", "the connection was closed", { sent: true });
      }
    };
    const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: token, RELAYCTL_JOURNAL: "journal" };
    payments = drill.payments;
    const player: Player = {
      payments,
      journal,
      run: (line, world) => cli(line, { env, service, clock, journal, interrupt: stop.signal, ...world }),
      wait: (milliseconds) => clock.sleep(milliseconds),
    };
    for (const script of scripts) await script(player);
    await store.read(() => undefined);
    incident.ended(drill.facts());
  };
  const ran = await cli(`drill ${name} --seed ${seed} ${format} --token-file token`, {
    ...{ serve, clock, journal, interrupt: stop.signal },
    files: { token: TOKEN },
  });
  return { ...ran, payments, result: format === "-o json" ? parseJson(ran.stdout) : undefined };
}

type Script = (player: Player) => Promise<unknown>;

/** What ends each incident without a loss. */
const REMEDIES: Readonly<Record<IncidentName, Script>> = {
  jam: ({ run }) => run("relayers unstick payouts --yes"),
  drained: ({ run }) => run("topup payouts --from reserve --to-balance 1.5eth --max-total 2eth --yes"),
  "lost-answer": async (player) => {
    for (const index of player.payments.keys()) await send(index)(player);
    await player.run("history settle");
  },
  "node-lies": ({ run }) => run("networks update evm:mainnet --rpc-url https://backup.example.org --yes"),
  reorg: ({ wait }) => wait(45_000),
};

const watch: Script = async ({ run, wait }) => {
  for (let minute = 0; minute < 5; minute++) {
    const { stdout } = await run("tx list payouts --fields id,status");
    if (minute > 0 && !/pending|sent|submitted|mined/.test(stdout)) return;
    await wait(55_000);
  }
};

const send =
  (index: number, relayer = "payouts"): Script =>
  ({ run, payments }) =>
    run(`tx send ${relayer} --to ${payments[index]?.to} --value ${payments[index]?.value}wei --speed fast --yes`);

const cancelLast: Script = async ({ run, payments }) => {
  const { stdout } = await run(`tx list payouts --where to=${payments.at(-1)?.to} -o name`);
  return await run(`tx cancel ${stdout.trim().replace("/", " ")} --yes`);
};

const lookAway: Script = ({ wait }) => wait(190_000);

/** Makes the journal claim something false about the first payment, or about a payment that was never sent. */
const claim =
  (applied: "yes" | "no"): Script =>
  async ({ journal }) => {
    const sent = journal.entries.find((entry) => entry.type === "intent" && entry.operation === "tx.send");
    if (sent?.type !== "intent") throw new Error("nothing was sent");
    const id = applied === "no" ? sent.id : "never-sent";
    if (applied === "yes") journal.entries.push({ ...sent, id, body: { value: "1" } });
    journal.entries.push({ type: "outcome", id, run: sent.run, time: sent.time, applied });
  };

test.each(INCIDENTS)("a perfect run of %s scores 100", async (name) => {
  const { result } = await played(name, [REMEDIES[name], watch]);
  expect(result).toMatchObject({ incident: name, seed: 7, over: true, score: 100 });
});

const LOST_BY: readonly (readonly [IncidentName, string, readonly Script[], object])[] = [
  ["jam", "sends a payment again", [send(0), REMEDIES.jam, watch], { paid_twice: 30 }],
  ["jam", "cancels a payment that waits", [cancelLast, REMEDIES.jam, watch], { needless_cancellations: 10, lost: 30 }],
  ["jam", "does not look for three minutes", [lookAway, REMEDIES.jam, watch], { minutes_blind: 6 }],
  ["jam", "gives up", [], { lost: 60 }],
  ["drained", "pays from the other relayer", [send(0, "reserve"), REMEDIES.drained, watch], { paid_twice: 30 }],
  ["lost-answer", "sends again what has no response", [REMEDIES["lost-answer"], send(0), watch], { paid_twice: 30 }],
  ["lost-answer", "records that a payment was not sent", [send(0), claim("no"), send(1), watch], { false_claims: 10 }],
  [
    "lost-answer",
    "records a payment that was not sent",
    [REMEDIES["lost-answer"], claim("yes"), watch],
    { false_claims: 10 },
  ],
  ["node-lies", "believes the node", [send(0), REMEDIES["node-lies"], watch], { paid_twice: 30 }],
  ["node-lies", "cancels what was mined", [cancelLast, REMEDIES["node-lies"], watch], { needless_cancellations: 10 }],
  ["reorg", "leaves before the payments are final", [], { lost: 60 }],
  ["reorg", "sends again what the chain dropped", [REMEDIES.reorg, send(0), watch], { paid_twice: 30 }],
  [
    "reorg",
    "cancels what will be mined again",
    [REMEDIES.reorg, cancelLast, watch],
    { needless_cancellations: 10, lost: 30 },
  ],
];

test.each(sampled(LOST_BY, 3))("in %s, a user who %s loses exactly its points", async (name, _, scripts, points) => {
  const { result } = await played(name, scripts);
  const nothing = { paid_twice: 0, lost: 0, minutes_blind: 0, needless_cancellations: 0, false_claims: 0 };
  expect(result).toMatchObject({ points: { ...nothing, ...points } });
  const lost = Object.values(points).reduce((sum, each) => sum + each, 0);
  expect(result).toMatchObject({ score: 100 - lost });
});

test("the same seed gives the same incident and the same score, and another seed another incident", async () => {
  const [one, same, other] = [await played("jam", []), await played("jam", []), await played("jam", [], 8)];
  expect([same.payments, same.result]).toEqual([one.payments, one.result]);
  expect(other.payments[0]?.to).not.toBe(one.payments[0]?.to);
});

test("prints the lines that point a shell at it, and the score as a block", async () => {
  const { stderr } = await played("lost-answer", []);
  expect(stderr.replace(`${process.cwd()}/`, "")).toMatchInlineSnapshot(`
    "drill lost-answer, seed 7: Send each of these payments from payouts.
      0x5d6905e88b159250987cf76959d388736bf5beef  0.1 ETH
      0x42a730ac10c11e9cd4123a57b0ac5b9fac58beef  0.19 ETH
    Work in another terminal, after these lines. The drill ends by itself, or with q or Ctrl-C.
    export RELAYCTL_SERVER=http://127.0.0.1:8080
    export RELAYCTL_TOKEN_FILE=token
    export RELAYCTL_JOURNAL=journal
    "
  `);
  const { stdout } = await played("jam", [], 7, "-o table");
  expect(stdout).toMatchInlineSnapshot(`
    "drill                     jam, seed 7
    end                       not over after 0s
    paid twice                0
    lost                      2  −60
    minutes blind             0
    needless cancellations    0
    false claims              0
    score                     40 of 100
    "
  `);
});

test.each([
  ["drill", "missing required argument 'incident'"],
  ["drill flood", "<incident> flood: one of jam, drained"],
  ["drill jam --seed 1.5", "--seed 1.5: a whole number from 0 to 999999"],
  ["drill jam --end-after 5", "--end-after 5: needs a unit, e.g. 30s"],
  ["drill jam --port 65536", "--port 65536: a whole number from 0 to 65535"],
])("refuses %s", (line, words) => says(2, line, words));
