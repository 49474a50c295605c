import { expect, test } from "vitest";
import { INCIDENTS, type IncidentName } from "../../../src/contract/incident.ts";
import { exits } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import { type Player, played } from "./played.ts";

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
  expect(stderr).toMatchInlineSnapshot(`
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
])("refuses %s", async (line, words) => {
  const { stderr } = await exits(2, line);
  expect(stderr).toContain(words);
});
