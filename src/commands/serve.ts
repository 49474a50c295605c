import type { ServeOptions } from "../app.ts";
import { readSecret } from "../command-support/input-file.ts";
import { shellWord } from "../command-support/shell-words.ts";
import { tokenProblem } from "../config/token/token-text.ts";
import { usageError } from "../errors.ts";
import type { View } from "../terminal/view.ts";
import type { Call, CommandFile } from "./command.ts";
import type { CommandSyntax } from "./flags/syntax.ts";
import { type ServeFlags, serveSettings } from "./serve/settings.ts";

/** `relayctl serve`: runs the embedded server on loopback, in the foreground, until Ctrl-C. */
export const serve: CommandFile<ServeFlags> = {
  summary: "Run the embedded server on this machine",
  sends: "nothing",
  ends: { ok: "stopped by Ctrl-C" },
  examples: [
    "relayctl serve",
    "relayctl serve --dialect openzeppelin --speed 10x --seed fleet:1000 --port 8080 --token-file token.txt",
    "relayctl serve --latency 20ms --rate-limit 200/s:300 --fail 'PUT:/api/v1/relayers/*=500:0.3'",
  ],
  define,
  run,
};

const DIALECTS: readonly ServeOptions["dialect"][] = ["interface", "openzeppelin"];
const PRICES: readonly NonNullable<ServeOptions["prices"]>[] = ["steady", "changing"];

function define(command: CommandSyntax): void {
  command
    .description(
      "Run a relayer service for testing, on this machine only. It prints the two lines that point a shell at the service. The token is generated unless --token-file specifies one. Transactions go from pending to confirmed in about a minute, and the notifications of their relayers receive events, except at the example host names of the initial data. A new relayer is disabled while all of its RPC URLs have host names under .invalid, or while its address has nothing because the ID of its signer contains unfunded; both changes are reported to its notification. With --dialect openzeppelin, as in the real service, the URLs of a disabled relayer cannot be set.",
    )
    .optionsGroup("Server")
    .option("--port <n>", "Port on 127.0.0.1 (default: any free port)")
    .option("--seed <name>", "Initial data: demo, empty, or fleet:N for N relayers (default: demo)")
    .option("--state <file>", "Keep the data in this file (default: in memory)")
    .choice("--dialect <name>", "API dialect; openzeppelin matches the real service (default: interface)", DIALECTS)
    .option(
      "--speed <factor>",
      "Let time pass faster for transactions, health checks, and webhooks, 1x–100x (default: 1x)",
    )
    .choice(
      "--prices <name>",
      "Gas prices on EVM networks; changing rise by a tenth each minute for ten minutes, then fall (default: steady)",
      PRICES,
    )
    .option("--reset-demo", "Reset the state of --demo and exit")
    .optionsGroup("Faults")
    .option("--latency <time>", "Wait before each response, e.g. 20ms")
    .option("--rate-limit <rate>", "Reject requests above N/s, or N/s:BURST, with 429")
    .option(
      "--fail <rule>",
      "Inject a fault (repeatable). METHOD:PATH-GLOB=STATUS[:RATE] rejects requests before they change anything; STATUS is " +
        "a code, busy (429 as text), close (no response), or refuse (200 with a failure). With lost or late, the request " +
        "is applied and gets no response: late applies it 10 seconds after the connection was closed. WORKER:NAME=dead stops a worker (prepare, " +
        "submit, status, or *); WORKER:submit=two-nonces sends each transaction twice; NODE:METHOD=CODE[:RATE] makes calls " +
        "to nodes fail; NODE:eth_sendRawTransaction=lost[:RATE] loses the response to a transaction that the node accepts",
      "values",
    )
    .option(
      "--node-lacks <names>",
      "Let nodes lack ways to simulate a call: simulate (eth_simulateV1), trace (debug_traceCall), override (eth_call with " +
        "a state override), or call (eth_call), separated by commas",
    );
}

async function run(call: Call<ServeFlags>): Promise<View> {
  if (call.flags.resetDemo) return await resetDemo(call);
  const settings = serveSettings(call.flags, call.common);
  const token = (await givenToken(call)) ?? madeToken(call);
  const place = settings.stateFile === undefined ? "in memory" : `kept in ${settings.stateFile}`;
  await call.app.serve({
    ...settings,
    token,
    async listening(port) {
      await call.say(`relayer service for testing, ${place}, on this machine only; press Ctrl-C to stop`);
      await call.app.stdout.write(`export RELAYCTL_SERVER=http://127.0.0.1:${port}\n`);
      await printToken(call, token);
    },
    served: async (line) => {
      if (!call.common.quiet) await call.say(requestLine(call.app.clock.now(), line));
    },
    delivered: (line) => call.say(deliveryLine(call.app.clock.now(), line)),
  });
  return { kind: "nothing" };
}

async function resetDemo(call: Call<ServeFlags>): Promise<View> {
  await call.app.resetDemo();
  await call.say("the state of --demo was reset");
  return { kind: "nothing" };
}

function madeToken({ app }: Call<ServeFlags>): string {
  const token = `demo-${app.random.uuid().replaceAll("-", "")}`;
  app.secrets.add(token);
  return token;
}

async function givenToken({ app, common: { tokenFile } }: Call<ServeFlags>): Promise<string | undefined> {
  if (tokenFile === undefined) return undefined;
  const token = await readSecret(app, tokenFile, "--token-file");
  const rule = tokenProblem(token);
  if (rule) throw usageError([{ where: "--token-file", given: tokenFile, rule }]);
  return token;
}

/**
 * Prints a generated token. A token chosen by the user is never printed (promises 6): the shell gets the path of its
 * file instead.
 */
async function printToken(call: Call<ServeFlags>, token: string): Promise<void> {
  const { tokenFile } = call.common;
  if (tokenFile === undefined) await call.app.stdout.reveal(`export RELAYCTL_TOKEN=${token}\n`);
  else if (tokenFile === "-") await call.say("the token was read from stdin");
  else await call.app.stdout.write(`export RELAYCTL_TOKEN_FILE=${shellWord(tokenFile)}\n`);
}

type ServedLine = Parameters<ServeOptions["served"]>[0];

/** Returns `14:02:11Z GET   /api/v1/relayers?page=1  200  1 ms` */
function requestLine(now: number, { method, target, status, milliseconds }: ServedLine): string {
  return `${timeText(now)} ${method.padEnd(5)} ${target.padEnd(40)}  ${status}  ${Math.round(milliseconds)} ms`;
}

type DeliveryLine = Parameters<ServeOptions["delivered"]>[0];

/**
 * Returns `14:02:13Z webhook ops-hook: transaction_update, attempt 1: 204`, without the URL, which may contain a
 * secret.
 */
function deliveryLine(now: number, { notification, event, attempt, status }: DeliveryLine): string {
  return `${timeText(now)} webhook ${notification}: ${event}, attempt ${attempt}: ${status ?? "no response"}`;
}

function timeText(now: number): string {
  return `${new Date(now).toISOString().slice(11, 19)}Z`;
}
