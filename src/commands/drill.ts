import { parseDuration } from "../config/duration.ts";
import { parsePort } from "../config/port.ts";
import { parsedSourcedFlag, RuleError } from "../config/sourced.ts";
import { INCIDENTS, LARGEST_SEED } from "../contract/incident.ts";
import { oneOf } from "../nearest.ts";
import { createCommand } from "./command.ts";
import { MOST_POINTS, POINTS } from "./drill/score.ts";

const LONGEST_DRILL = 20 * 60_000;

export const drill = createCommand({
  summary: "Practice on an incident, and get a score from facts",
  sends: "nothing",
  takes: ["tokenFile"],
  ends: { ok: "the drill ended, whatever its score" },
  examples: [
    "relayctl drill jam",
    "relayctl drill drained --seed 7",
    "relayctl drill node-lies --seed 7 --end-after 10m -o json",
  ],
  args: [{ name: "<incident>", description: `Incident: ${INCIDENTS.join(", ")}`, words: INCIDENTS }],
  description: `Play an incident on the embedded server in real time, while you work in another terminal with the ordinary commands. The drill prints the lines that point a shell at it, and the payments that have to arrive exactly once. It ends once they all have, at \`q\` or Ctrl-C, or after --end-after, and prints a score from facts: of ${MOST_POINTS} points, each payment made twice or lost costs ${POINTS.lost}, each needless cancellation and each false claim in the journal ${POINTS.false_claims}, and each minute in which nobody read the relayers ${POINTS.minutes_blind}. The server is on this machine only, and nothing is real.`,
  define: (command) =>
    command
      .optionsGroup("Drill")
      .option(
        "--seed <n>",
        `What the incident is about, 0–${LARGEST_SEED}; the same seed gives the same incident (default: random)`,
      )
      .option("--end-after <time>", `End the drill after this time (default: ${LONGEST_DRILL / 60_000}m)`)
      .option("--port <n>", "Port on 127.0.0.1 (default: any free port)"),
  async prepare({ args: [word = ""], flags }, problems) {
    const name = INCIDENTS.find((each) => each === word);
    if (!name) problems.add("<incident>", oneOf(word, INCIDENTS), word);
    const { found } = problems;
    return {
      name: name ?? "jam",
      seed: parsedSourcedFlag("--seed", flags.seed, parseSeed, found),
      port: parsedSourcedFlag("--port", flags.port, parsePort, found) ?? 0,
      longest: parsedSourcedFlag("--end-after", flags.endAfter, parseDuration, found) ?? LONGEST_DRILL,
    };
  },
  run: async (call, typed) => (await import("./drill/run-drill.ts")).runDrill(call, typed),
});

function parseSeed(text: string): number {
  if (/^[0-9]{1,6}$/.test(text)) return Number(text);
  throw new RuleError(`a whole number from 0 to ${LARGEST_SEED}`, text);
}
