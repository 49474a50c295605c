import { canPrompt } from "../../command-support/prompting/prompts.ts";
import { formatAmount } from "../../contract/amount.ts";
import { type IncidentFacts, type IncidentName, type IncidentPayment, LARGEST_SEED } from "../../contract/incident.ts";
import { type Journal, type RecordedWrite, walkWrites } from "../../journal/journal.ts";
import { shellWord } from "../../shell/shell-words.ts";
import { durationText } from "../../terminal/text/duration.ts";
import { type View, viewLines } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { printServedToken, servedToken } from "../serve/token.ts";
import { MOST_POINTS, POINTS, type ScoredFact, scoreRun } from "./score.ts";

export interface TypedDrill {
  name: IncidentName;
  /** Random by default. */
  seed: number | undefined;
  port: number;
  longest: number;
}

/** The texts at the beginning: known facts, not the cause. */
const BRIEFINGS: Readonly<Record<IncidentName, string>> = {
  jam: "The receivers ask where their payments from payouts are. Get each of them paid.",
  drained: "The service has disabled payouts, and its payments do not leave. Get each of them paid; reserve has coins.",
  "lost-answer": "Send each of these payments from payouts.",
  "node-lies":
    "The receivers say that they were paid by payouts; the node says that nothing was sent. Have the service show it.",
  reorg: "The payments from payouts were mined a moment ago. See to it that each of them stays.",
};

export async function runDrill(call: Call, { name, seed: typed, port: wanted, longest }: TypedDrill): Promise<View> {
  const { app } = call;
  const seed = typed ?? Math.floor(app.random.fraction() * (LARGEST_SEED + 1));
  const token = await servedToken(call);
  const journal = await app.journal("demo");
  const began = app.clock.now();
  const stop = new AbortController();
  const leave = await hearQuit(call, stop);
  void app.clock.sleep(longest, stop.signal).then(() => stop.abort());
  let facts: IncidentFacts | undefined;
  let server = "";
  let payments: readonly IncidentPayment[] = [];
  try {
    await app.serve({
      ...{ port: wanted, token, seed: "empty", latency: 0, failures: [], dialect: "interface" },
      incident: {
        ...{ name, seed, stop: stop.signal },
        begun: (due) => {
          payments = due;
        },
        ended: (found) => {
          facts = found;
        },
      },
      async listening(port) {
        server = `http://127.0.0.1:${port}`;
        await briefPlayer(call, { name, seed, payments });
        await printServedToken(call, { port, token }, app.stderr);
        await app.stderr.write(`export RELAYCTL_JOURNAL=${shellWord(journal.path)}\n`);
      },
      served: async () => {},
      delivered: async () => {},
    });
  } finally {
    stop.abort();
    leave();
  }
  if (!facts) throw new Error("the incident ended without its facts");
  return scoreView({ name, seed, facts }, scoreRun(facts, await readWrites(journal, server, began)));
}

/** Ends the drill at `q` or Ctrl-C on a terminal. @returns a function that gives the terminal back */
async function hearQuit(call: Call, stop: AbortController): Promise<() => void> {
  if (!canPrompt(call.app, call.common)) return () => {};
  return (await call.app.keyboard()).listen((key) => {
    if (key === "q" || key === "ctrl-c") stop.abort();
  });
}

interface Played {
  name: IncidentName;
  seed: number;
}

async function briefPlayer(call: Call, { name, seed, payments }: Played & { payments: readonly IncidentPayment[] }) {
  await call.say(`drill ${name}, seed ${seed}: ${BRIEFINGS[name]}`);
  for (const { to, value } of payments) await call.say({ row: ["  ", to, "  ", formatAmount(value, ETHER)] });
  await call.say("Work in another terminal, after these lines. The drill ends by itself, or with q or Ctrl-C.");
}

const ETHER = { base: "wei", symbol: "ETH" } as const;

async function readWrites(journal: Journal, server: string, since: number): Promise<RecordedWrite[]> {
  const writes: RecordedWrite[] = [];
  for await (const write of walkWrites(journal, since)) if (write.intent.server === server) writes.push(write);
  return writes;
}

function scoreView({ name, seed, facts }: Played & { facts: IncidentFacts }, score: ReturnType<typeof scoreRun>): View {
  const { isOver, milliseconds } = facts;
  const counted = (Object.keys(POINTS) as ScoredFact[]).flatMap((fact) => {
    const count = score.facts[fact];
    return viewLines(fact.replaceAll("_", " "), [
      count === 0 ? { text: "0" } : { text: `${count}  −${count * POINTS[fact]}`, tone: "warn" },
    ]);
  });
  const seconds = Math.round(milliseconds / 1000);
  return {
    kind: "facts",
    lines: [
      ...viewLines("drill", [{ text: `${name}, seed ${seed}` }]),
      ...viewLines("end", [{ text: `${isOver ? "over" : "not over"} after ${durationText(seconds * 1000)}` }]),
      ...counted,
      ...viewLines("score", [{ text: `${score.score} of ${MOST_POINTS}` }]),
    ],
    name: String(score.score),
    value: { incident: name, seed, over: isOver, seconds, ...score },
  };
}
