import { interleaved } from "../rounds.js";
import { serve, serveBare } from "../server.js";
import { costRatio, secondsEach, speedRatio } from "../statistics.js";

/** Ends as soon as the server says where it listens, and waits for it, so that its CPU counts. */
const LISTENING =
  'exec 5< <(exec node "$PROGRAM" serve --quiet --seed fleet:1000000 --token-file "$TOKEN_FILE") && read -ru 5 && kill -KILL $! && { wait $!; [ $? -eq 137 ]; }';

/** Compares how soon the embedded server listens, and how fast it responds, with node:http. The client uses the same cores. */
export async function embeddedServer(world) {
  const { listRequests, shortRounds, repeat, longRounds } = world.plan;
  const server = await serve(world, "--quiet", "--seed", "fleet:1000000");
  const bare = await serveBare(world, server.env.RELAYCTL_SERVER);
  const env = { ...server.env, BARE: bare.env.RELAYCTL_SERVER, TOKEN_FILE: world.tokenFile };
  const asked = `node "$SCRIPTS/list-requests.js" ${listRequests}`;
  const requests = {
    served: { line: asked, items: listRequests, server: server.pid },
    bare: { line: `RELAYCTL_SERVER=$BARE ${asked}`, items: listRequests, server: bare.pid },
  };
  const { served, bare: most } = await interleaved(world, requests, { rounds: longRounds, env });
  await Promise.all([server.stop(), bare.stop()]);
  const starts = { node: { line: "node -e 0" }, listening: { line: LISTENING } };
  const { node, listening } = await interleaved(world, starts, { rounds: shortRounds, repeat, env });
  const what = "lists of 10 of 1,000,000 relayers, 16 connections";
  return {
    runs: { served, most, node, listening },
    rows: [
      { what: `embedded server: ${what}`, unit: "requests/s", atLeast: 8000, reach: 10_000, ...speed(served) },
      { what: "the same / a bare node:http server with one text", atLeast: 0.5, ...speedRatio(served, most, "wall") },
      { what: "the same by the CPU of the servers", ...speedRatio(served, most, "served") },
      {
        what: "embedded server: until it listens / `node -e 0`",
        atMost: 2.3,
        reach: 1.8,
        ...costRatio(listening, node),
      },
    ],
  };
}

function speed(run) {
  return run.failure ? { failure: run.failure } : { value: Math.round(1 / secondsEach(run)), load: run.load };
}
