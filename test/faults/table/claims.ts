import { printedError } from "../../helpers/exited.ts";
import { type Applied, type Arrived, mayHaveBeenApplied } from "../server/ledger.ts";
import { type Ended, SIGNING_KEY, TOKEN } from "../world.ts";
import { type Command, writes } from "./command.ts";

/** What happened in truth. */
export interface Truth {
  ledger: readonly Applied[];
  arrived: readonly Arrived[];
}

interface ErrorFacts {
  code: string;
  exit_code: number;
  applied: "no" | "yes" | "unknown";
  hint: string | null;
  message: string;
  http: { path: string } | null;
}

/** What is wrong with what a command claimed, held against the ledger; nothing when all of it is true. */
export function falseClaims(command: Command, ended: Ended, truth: Truth, json: boolean): string[] {
  const error = json && ended.exitCode !== 0 ? errorOf(ended.stderr) : undefined;
  return [
    ...aboutTheExit(command, ended, truth.ledger),
    ...(json && ended.exitCode !== 0 ? aboutTheError(command, error, ended, truth.ledger) : []),
    ...(sentAgain(command, truth.arrived) ? ["sent again after it may have left"] : []),
    ...aboutTheOutput(ended, ["api", "approve"].includes(command.argv[0] ?? "")),
  ];
}

function aboutTheExit(command: Command, { exitCode, stdout, stderr }: Ended, ledger: readonly Applied[]): string[] {
  if (isDone(command, exitCode)) return aboutSuccess(command, stdout, ledger);
  if (exitCode >= 2 && exitCode <= 10) return ledger.length > 0 ? [`exit ${exitCode}, and it was applied`] : [];
  if (exitCode === 11)
    return writes(command) && names(stderr, command.item) ? [] : ["the outcome is unknown, and of what is not said"];
  if (exitCode === 12) return aboutPart(command, ledger);
  if (exitCode === 15) return aboutPending(command, ledger);
  if (exitCode === 14) return writes(command) ? [] : ["a read ended as a mismatch"];
  return [`exit ${exitCode}`];
}

function isDone({ alerts }: Command, exitCode: number): boolean {
  return exitCode === (alerts ? 13 : 0);
}

/** The cap may still be raised; what became of the write itself is among other claims. */
function aboutPart({ raisedCap, sendsRows }: Command, { length }: readonly Applied[]): string[] {
  if (raisedCap !== undefined) return [];
  if (!sendsRows) return ["exit 12"];
  return length > 0 ? ["exit 12, and the row was applied"] : [];
}

function aboutPending({ waits }: Command, { length }: readonly Applied[]): string[] {
  return waits && length === 1 ? [] : ["pending, and nothing was applied"];
}

function aboutSuccess({ shows = [], bodies }: Command, stdout: string, ledger: readonly Applied[]): string[] {
  const missing = shows.filter((id) => !stdout.includes(id)).map((id) => `success without ${id}`);
  if (!bodies) return [...missing, ...(ledger.length > 0 ? ["a read was applied"] : [])];
  const [first, ...more] = ledger;
  if (!first) return ["success, and nothing was applied"];
  if (more.length > 0) return [`success, applied ${ledger.length} times`];
  return bodies.some((body) => isBody(first.body, body))
    ? []
    : [`success, and other bytes were applied: ${first.body}`];
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

function isBody(applied: string, asked: string): boolean {
  return applied.replace(UUID, "<uuid>") === asked;
}

function names(stderr: string, item: string): boolean {
  return item === "<uuid>" ? UUID.test(stderr) : stderr.includes(item);
}

function aboutTheError(
  { waits, reports, sendsRows }: Command,
  error: ErrorFacts | undefined,
  { exitCode, stdout }: Ended,
  ledger: readonly Applied[],
): string[] {
  if (!error) return ["no JSON error at the end of stderr"];
  const { applied, hint } = error;
  const found: Record<string, boolean> = {
    [`exit ${exitCode}, told as ${error.exit_code}`]: error.exit_code !== exitCode,
    // What a plugin returned is its caller's, also when the plugin failed; a wait ends with the newest record.
    "something on stdout besides an error":
      stdout !== "" && !reports && !error.http?.path.endsWith("/call") && !(waits === true && applied === "yes"),
    [`exit ${exitCode} with applied ${applied}`]: applied !== appliedBy(exitCode, applied),
    "said not to be applied, and it was": applied === "no" && ledger.length > 0,
    "said to be applied, and it was not": applied === "yes" && ledger.length === 0 && sendsRows !== "rest",
    [`no hint after ${error.code}: ${error.message}`]: !hint && !WITHOUT_HINT.includes(error.code),
    [`a hint that cannot be typed: ${hint}`]: /\{\w+\}/.test(hint ?? ""),
  };
  return Object.keys(found).filter((problem) => found[problem]);
}

/** The service's own words say what it rejects, or which state is in the way, and what helps depends on what was meant. */
const WITHOUT_HINT: readonly string[] = ["rejected", "conflict"];

/** What `applied` has to be for an exit code. */
function appliedBy(exitCode: number, otherwise: string): string {
  if (exitCode <= 10) return "no";
  return exitCode === 11 ? "unknown" : otherwise;
}

function errorOf(stderr: string): ErrorFacts | undefined {
  try {
    return printedError(stderr);
  } catch {
    return undefined;
  }
}

/** A write may only follow another that was refused in a complete response. Only reads are retried. */
export function sentAgain({ request, kind }: Command, arrived: readonly Arrived[]): boolean {
  if (kind === "read") return false;
  const isWrite = (path: string) => path === request.path || !path.endsWith("/rpc");
  const same = arrived.filter(({ method, path }) => method === request.method && method !== "GET" && isWrite(path));
  return same.slice(0, -1).some(mayHaveBeenApplied);
}

/** `api` and `approve` print a response body as received. */
function aboutTheOutput({ stdout, stderr }: Ended, isAsReceived: boolean): string[] {
  const all = stdout + stderr;
  const problems: string[] = [];
  const told = isAsReceived ? stderr : all;
  for (const secret of [TOKEN, SIGNING_KEY]) if (all.includes(secret)) problems.push("a secret was printed");
  if (/^\s+at .+:\d+:\d+\)?$/m.test(all)) problems.push("a stack trace was printed");
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(told)) problems.push("a control character was printed");
  return problems;
}
