import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../documents.ts";

/** Writes a value of the source as a reader reads it. */
type Unit = (value: number) => string;

const count: Unit = (value) => value.toLocaleString("en-US");

function inUnit(value: number, units: readonly (readonly [size: number, name: string])[]): string {
  const [size = 1, name = ""] = units.find(([each]) => value >= each && value % each === 0) ?? [];
  return `${count(value / size)} ${name}${value / size === 1 || name.endsWith("B") || name === "ms" ? "" : "s"}`;
}

const bytes: Unit = (value) =>
  inUnit(value, [
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
    [1, "byte"],
  ]);

/** Of milliseconds. */
const time: Unit = (value) =>
  inUnit(value, [
    [60_000, "minute"],
    [1_000, "second"],
    [1, "ms"],
  ]);
const seconds: Unit = (value) => time(1_000 * value);
const hours: Unit = (value) => inUnit(value / 3_600_000, [[1, "hour"]]);
const days: Unit = (value) => inUnit(value / 86_400_000, [[1, "day"]]);

/** One bound: what it limits, its unit, its place in `src`, and the flag that sets another value. */
export type Row = readonly [what: string, unit: Unit, place: string, flag?: string];

/** Every bound that a user can meet, by subject. `timing` stands for `timing.ts`. */
export const LIMITS: Readonly<Record<string, readonly Row[]>> = {
  Requests: [
    ["Time for one attempt of a request", time, "timing DEFAULT_TIMEOUT", "--timeout"],
    [
      "Time for a command that is neither a list, nor a wait, nor a bulk run",
      time,
      "timing DEFAULT_DEADLINE",
      "--deadline",
    ],
    ["Further attempts of a request", count, "timing DEFAULT_RETRIES", "--retries"],
    ["The most that `--retries` accepts", count, "timing MOST_RETRIES"],
    ["Further attempts of a request that must be sent only once", count, "timing ONCE_RETRIES"],
    ["Time in which such a request is sent again if it surely never left", time, "timing ONCE_WINDOW"],
    ["Further attempts of a request in bulk that the service refuses by rate", count, "timing BULK_RETRIES"],
    ["Longest pause before the first further attempt; it doubles with each one", time, "timing FIRST_BACKOFF"],
    ["Longest pause before any further attempt, besides what the service requests", time, "timing LONGEST_BACKOFF"],
    ["Longest wait for the service's rate limit in a command without a deadline", time, "timing LONGEST_WAIT"],
    ["Longest interval between requests after the service limited the rate", time, "timing LONGEST_INTERVAL"],
    ["Requests in parallel", count, "client/bulk/bounds USUAL_CONCURRENCY", "--concurrency"],
    ["The most that `--concurrency` accepts", count, "client/bulk/bounds MAX_CONCURRENCY"],
    ["The most requests a second that `--rate` accepts", count, "client/bulk/bounds MAX_RATE"],
    ["Contexts that relayctl reads in parallel", count, "cli/contexts/run AT_ONCE"],
    ["Age at which an idle connection is closed", time, "timing IDLE_CONNECTION"],
    ["Time for which a host's addresses are kept", time, "timing LOOKUP_LIFETIME"],
    ["Time after a lost response in which the request can still arrive", time, "timing LONGEST_ON_THE_WAY"],
    ["Time for which a replica of the service may not show an applied write", time, "timing LONGEST_READ_LAG"],
  ],
  "Responses and lists": [
    ["A response other than a page of a list", bytes, "client/attempt/memory-budget FULL.response"],
    ["A page of a list", bytes, "client/attempt/memory-budget FULL.listResponse"],
    [
      "Items of a list that relayctl keeps in memory, e.g. to sort them",
      bytes,
      "client/attempt/memory-budget FULL.held",
    ],
    ["Items of a list, after which it counts as endless", count, "client/pagination/list-pages MOST_ITEMS"],
    ["Items that relayctl requests in a page", count, "client/pagination/list-pages LARGE_PAGE", "--per-page"],
    ["Items in a page if the service refuses larger ones", count, "client/pagination/list-pages SMALL_PAGE"],
    ["Nested objects and lists in JSON", count, "contract/json/parse MAX_DEPTH"],
    ["Values in a JSON document", count, "contract/json/parse MAX_VALUES"],
    ["Digits of an integer that is compared by its value", count, "contract/json/scanner MAX_DIGITS"],
    ["Characters of a number that you type", count, "contract/decimal LONGEST_NUMBER"],
    ["A node's response", bytes, "chain/node/url-node MAX_BYTES"],
    ["Values in a node's response", count, "chain/node/url-node MAX_VALUES"],
    ["What relayctl keeps of the data that a simulated call returns", bytes, "chain/simulation/simulate MOST_BYTES"],
  ],
  "Files and input": [
    ["A file or stdin with a request body", bytes, "session/input-file MAX_BYTES"],
    ["A file or stdin with a secret", bytes, "session/input-file MAX_SECRET_BYTES"],
    ["A token, and the output of a `token_command`", bytes, "config/token/token-text MAX_LENGTH"],
    ["The list of project files that you trust", bytes, "config/project/open-project MAX_TRUSTED_BYTES"],
    ["The value of a header", bytes, "contract/header-rules MAX_LENGTH"],
    ["The output of a program that keeps tokens", bytes, "config/token/stores/program MAX_BYTES"],
    ["The config file", bytes, "config/store MAX_BYTES"],
    ["A project file", bytes, "config/project/open-project MAX_BYTES"],
    ["A file with CA certificates", bytes, "config/connection/certificates MAX_BYTES"],
    ["A client certificate, and its key", bytes, "config/connection/client-certificate MAX_BYTES"],
    ["The text in an editor", bytes, "config/editor/editor-file MAX_BYTES"],
    ["A file of labels", bytes, "commands/label/read-labels MAX_BYTES"],
    ["A relayer's new ID, in characters", count, "contract/id LONGEST_NEW_ID"],
    [
      "The shortest signing key that services up to v1.8 accept, in bytes",
      count,
      "contract/resources/notification SHORTEST_SIGNING_KEY",
    ],
    ["The highest weight of a relayer's RPC URL", count, "contract/resources/field MAX_RELAYER_WEIGHT"],
    ["The highest weight of a network's RPC URL", count, "contract/resources/network MAX_NETWORK_WEIGHT"],
    ["The body of a plugin call", bytes, "contract/resources/plugin MAX_CALL_BYTES"],
    ["ABI files that relayctl reads from a folder", count, "session/abis MOST_FILES"],
  ],
  Programs: [
    ["Time for a `token_command`", time, "timing TOKEN_COMMAND_TIMEOUT"],
    ["Time for a program that keeps tokens", time, "timing TOKEN_STORE_TIMEOUT"],
    ["Time before a token expires at which relayctl reads it again", time, "timing TOKEN_MARGIN"],
    ["Age at which relayctl reads the files of `--token-file` and `--header` again", time, "timing CREDENTIALS_AGE"],
    ["Time for ssh-keygen to sign", time, "timing SIGNING_TIMEOUT"],
    ["Time for the program of `--on-change`", time, "timing ON_CHANGE_TIMEOUT"],
    ["Events that wait for the program of `--on-change`", count, "commands/watch/on-change/on-change LONGEST_QUEUE"],
    ["What that program may print to stderr", bytes, "commands/watch/on-change/on-change MAX_BYTES"],
    ["Time between two warnings about that program", time, "timing ON_CHANGE_WARNING_SPACING"],
    ["Time for a program to exit after a termination signal", time, "timing PROGRAM_GRACE"],
    ["Time for an editor to save after a termination signal", time, "timing EDITOR_GRACE"],
  ],
  "The journal and locks": [
    ["A line of the journal", bytes, "journal/line MAX_LINE_BYTES"],
    ["Wait for the lock of a file that another process holds", time, "timing LOCK_PATIENCE"],
    ["Time without activity after which the holder of a lock counts as dead", time, "timing LOCK_LIFETIME"],
    ["Wait for the journal's lock", time, "timing JOURNAL_LOCK.patience"],
    [
      "Time without activity after which the holder of the journal's lock counts as dead",
      time,
      "timing JOURNAL_LOCK.lifetime",
    ],
    ["Age at which the file with the unchanged IDs of a run is removed", days, "timing RUN_FILE_LIFETIME"],
    ["Writes of the journal that `doctor` checks", count, "commands/doctor/read/read-journal MOST_WRITES"],
  ],
  "Waiting and watching": [
    ["Time for following transactions", time, "timing FOLLOW_DEADLINE", "--deadline"],
    ["Longest interval between two reads of a followed transaction", time, "timing FOLLOW_INTERVALS.longest"],
    ["Time without a node's response after which a record counts by itself", time, "timing CHAIN_PATIENCE"],
    ["Time for the outcome of a replacement or a bump", time, "timing BROADCAST_PATIENCE"],
    ["Bumps of a transaction with `--until`, at most", count, "commands/tx/bump/flags MOST_TIMES"],
    ["Default interval of `--watch`", time, "timing USUAL_WATCH", "--watch"],
    ["Shortest interval of `--watch`", time, "timing SHORTEST_WATCH"],
    ["Shortest interval if each relayer takes a request", time, "timing SLOWER_WATCH"],
    ["Longest pause of a watch after the service limited the rate", time, "timing LONGEST_WATCH_PAUSE"],
    ["Time between two measurements of `relayers guard`", time, "timing GUARD_INTERVAL", "--every"],
    ["Time after which the guard reports a relayer that it cannot measure", time, "timing UNREAD_TIME"],
    ["Time after which the guard ends if every measurement is refused", time, "timing REFUSED_TIME"],
    ["Wait of a scrape for new values", time, "timing SCRAPE_PATIENCE"],
    ["Time for one reading of all relayers for a scrape", time, "timing SWEEP_TIMEOUT"],
    ["Time for which a scrape serves values that could not be read again", time, "timing METRICS_LIFETIME"],
    ["Pending transactions that a watch shows", count, "commands/tx/list/watch MOST_PENDING"],
    ["Time between two lines of progress without a terminal", time, "timing PROGRESS_LINE"],
    ["Time before a terminal shows progress", time, "timing PROGRESS_DELAY"],
  ],
  "Reads of other commands": [
    ["Relayers that `doctor` checks without `--all` or IDs", count, "doctor/codes MOST_RELAYERS", "--all"],
    ["Time for each request of `doctor`", time, "timing DOCTOR_TIMEOUT"],
    ["Days before its end at which `doctor` reports the service's certificate", count, "doctor/codes CERTIFICATE_DAYS"],
    ["Days for which a balance should last", count, "doctor/codes RUNWAY_DAYS"],
    ["Relayers whose status is read without IDs", count, "commands/relayers/status/status-reads MOST_READ"],
    ["Time for the status of all shown relayers", time, "timing STATUS_TIMEOUT", "--deadline"],
    ["Time for reading what accounts spent", time, "timing SPEND_TIMEOUT", "--deadline"],
    ["Time for reading a balance, and the inputs of an estimate", time, "timing FUNDS_TIMEOUT"],
    ["Time for simulating a call before relayctl sends it", time, "timing SIMULATION_TIMEOUT"],
    ["Time for comparing a confirmed record with the chain", time, "timing CHAIN_TIMEOUT"],
    ["Time for checking the node of new RPC URLs", time, "timing NODE_TIMEOUT"],
    ["Time for reading a network's coin", time, "timing COIN_TIMEOUT"],
    ["Age at which a network's coin is read again", hours, "timing COIN_LIFETIME"],
    ["Time whose spending shows how long a balance lasts", hours, "timing PACE_WINDOW"],
    ["Newest transactions of a relayer that `find` searches", count, "find/view MOST_SEARCHED"],
    ["Wait of TAB for the service", time, "timing COMPLETION_PATIENCE"],
    ["Time for which TAB offers the same IDs", time, "timing IDS_LIFETIME"],
    ["IDs that TAB offers", count, "commands/completion-ids MOST"],
  ],
  Payments: [
    ["Payments in a file", count, "payments/file/read-payments MOST_ROWS"],
    ["A file of payments", bytes, "payments/file/read-payments LARGEST_FILE"],
    ["Characters of a payment's label", count, "payments/file/row-reader LONGEST_LABEL"],
    ["Failures after which no further payment starts", count, "payments/run/running USUAL_FAILURES", "--stop-after"],
    ["The report of a run", bytes, "payments/report/write-report MAX_REPORT_BYTES"],
    ["Time after which no further search for lost payments begins", time, "timing SEARCH_TIME"],
    ["Time for asking a node about a lost payment", time, "timing CHAIN_SEARCH_TIME"],
    ["Time for reading what a relayer has before a payment without a journal", time, "timing LISTED_TIMEOUT"],
    ["Time whose payments a context's limits per day add up", hours, "timing LIMITED_DAY"],
    ["Time for restoring a relayer's cap at the end of a command", time, "timing RESTORE_TIMEOUT"],
  ],
  "Fleets and proposals": [
    ["A file of a fleet", bytes, "fleet/open-sources MAX_FLEET_BYTES"],
    ["Nested levels in a YAML file", count, "fleet/source/yaml-document MOST_LEVELS"],
    ["Tokens in a YAML file", count, "fleet/source/yaml-document MOST_TOKENS"],
    ["A saved plan", bytes, "fleet/read-saved-plan MAX_PLAN_BYTES"],
    ["A proposal", bytes, "proposals/proposal MAX_PROPOSAL_BYTES"],
    ["Signatures of a proposal", count, "proposals/signatures MOST_SIGNATURES"],
    ["Time for which a proposal is valid, at most", hours, "proposals/proposal LONGEST_VALIDITY"],
  ],
  "Agents (`mcp`)": [
    ["A line of a request", bytes, "commands/mcp/serve-tools MAX_LINE_BYTES"],
    ["Calls in parallel", count, "commands/mcp/serve-tools MOST_CALLS"],
    ["Characters of the data in one result; the rest has a cursor", count, "commands/mcp/call-tool MAX_RESULT"],
    ["Characters that a command may print for one call", count, "commands/mcp/call-tool MAX_PRINTED"],
    ["Characters of a text argument", count, "commands/mcp/call-tool MAX_TEXT"],
    ["Items of a list argument", count, "commands/mcp/call-tool MAX_ITEMS"],
    ["Wait of one call of `wait`", seconds, "commands/mcp/tools LONGEST_WAIT_SECONDS"],
  ],
  "Webhooks and the embedded server": [
    ["Time for a response to a delivery that relayctl sends", time, "timing WEBHOOK_TIMEOUT"],
    ["What relayctl reads of such a response", bytes, "client/webhook MAX_BYTES"],
    ["A record of received deliveries", bytes, "webhooks/record MAX_RECORD_BYTES"],
    ["Relayers in the metrics of `webhooks listen`", count, "commands/webhooks/listen/run-listen MOST_HEARD"],
    ["Deliveries that `webhooks listen` remembers, to recognize repeated ones", count, "webhooks/recent REMEMBERED"],
    ["The body of a request to the embedded server", bytes, "embedded-server/incoming MAX_BODY"],
    ["The largest seed of a drill", count, "contract/incident LARGEST_SEED"],
    ["Connections to the embedded server", count, "embedded-server/http-server MAX_CONNECTIONS"],
    ["The file with the private key for `serve --node`", bytes, "commands/serve/real-chain MAX_KEY_BYTES"],
    ["The embedded server's state", bytes, "embedded MAX_STATE_BYTES"],
  ],
};

/** Bounds that no user meets: how the program waits for itself, tunes its work, or keeps its own files. */
export const UNLISTED: readonly string[] = [
  "cli/help/topics/policies LARGEST_SHOWN",
  "cli/workflow/workflow LARGEST_SUMMARY",
  "client/transport/lookup-programs MAX_BYTES",
  "client/transport/page-buffers LARGEST_KEPT",
  "command-support/trace LARGEST_BODY",
  "commands/doctor/local/run-local MAX_BYTES",
  "commands/mcp/call-tool MAX_MESSAGES",
  "compiled/keeper MAX_BYTES",
  "complete MAX_CONFIG",
  "completion/kept-ids LARGEST_KEPT",
  "config/port MAX_PORT",
  "config/token/credentials MAX_BYTES",
  "journal/head MAX_HEAD_BYTES",
  "main MAX_KEPT_BYTES",
  "main MAX_PROPOSAL_BYTES",
  "embedded-server/seed/fleet LARGEST_FLEET",
  "timing COMPLETION_DEADLINE",
  "timing COMPLETION_LIFETIME",
  "timing COMPLETION_TIMEOUT",
  "timing EXIT_GRACE",
  "timing FIRST_INTERVAL",
  "timing LATE_REQUEST",
  "timing LATE_SIGNALS",
  "timing LINGER",
  "timing LONGEST_TIMER",
  "timing MARK_TIME",
  "timing OUTPUT_GRACE",
  "timing PAGER_START",
  "timing PAYMENT_TURN",
  "timing PROGRESS_TICK",
  "timing RATE_LIMIT_BACKOFF",
  "timing REQUEST_SPACING",
  "timing RESENT_WITHIN",
  "timing RESTORE_INTERVAL",
  "timing RUN_FILE_GRACE",
  "timing SILENCE",
  "timing TIMER_LATENESS",
];

/** Returns the value of a constant in the source, as it is written there. */
export function valueAt(place: string): number {
  const [file = "", path = ""] = place.split(" ");
  const [name = "", member] = path.split(".");
  const source = readFileSync(join(ROOT, "src", `${file}.ts`), "utf8");
  const [, written = ""] = new RegExp(`^(?:export )?const ${name}(?:: \\w+)? = ([^;]*);`, "m").exec(source) ?? [];
  const [, inside = ""] = member ? (new RegExp(`\\b${member}: ([^,}]*)`).exec(written) ?? []) : [];
  return computed((member ? inside : written).replaceAll("MIB", "2 ** 20"));
}

/** Computes products and powers: `64 * 2 ** 20`. */
export function computed(written: string): number {
  const factors = written.replaceAll("_", "").split(/ \* /);
  return factors.reduce((product, factor) => {
    const [base = "", exponent = "1"] = factor.trim().split(" ** ");
    return product * Number(base) ** Number(exponent);
  }, 1);
}
