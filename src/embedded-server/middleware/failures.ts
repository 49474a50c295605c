import type { InjectedFailure } from "../../contract/serving.ts";
import { LATE_REQUEST } from "../../timing.ts";
import { badRequest, invalidToken, Refusal, replacedMissing, serverFault, tooManyRequests } from "../refusal.ts";
import type { ServerRandom } from "../world.ts";

/** Thrown to close a connection without a response, e.g. when the service fails halfway (facts 1.9). */
export class ClosedConnection extends Error {
  override readonly name = "ClosedConnection";
}

/** For a request that is applied although its connection is closed without a response. */
export class LostResponse extends ClosedConnection {
  /** Milliseconds from the close of the connection until the request is applied. */
  readonly delay: number;

  constructor(delay: number) {
    super();
    this.delay = delay;
  }
}

type FailureWord = Exclude<InjectedFailure["status"], number | "dead" | "two-nonces">;

const WORDS: Readonly<Record<FailureWord, () => Error>> = {
  busy: () => new Refusal(429, "Too many concurrent requests", { service: { message: BUSY, plain: true } }),
  close: () => new ClosedConnection(),
  refuse: () => new Refusal(200, "Not implemented"),
  lost: () => new LostResponse(0),
  late: () => new LostResponse(LATE_REQUEST),
};

/** JSON with the content type of a text (facts 1.4). */
const BUSY = '{"error":"Too many concurrent requests","max_concurrent":100}';

/** Returns a function that gives a request's failure, if any. The first rule that applies at its rate decides. */
export function createFailures(failures: readonly InjectedFailure[], random: Pick<ServerRandom, "fraction">) {
  const requests = failures.filter(({ method }) => method !== "WORKER" && method !== "NODE");
  const rules = requests.map((failure) => ({ ...failure, pattern: globPattern(failure.path), met: 0 }));
  return (method: string, path: string): Error | undefined => {
    const fitting = rules.filter((rule) => (rule.method === "*" || rule.method === method) && rule.pattern.test(path));
    const met = fitting.find((rule) =>
      rule.only === undefined ? random.fraction() < rule.rate : ++rule.met === rule.only,
    );
    return met && createRefusal(met.status);
  };
}

function globPattern(glob: string): RegExp {
  const literals = glob.split("*").map((literal) => literal.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literals.join(".*")}$`);
}

const WORDED = [badRequest(), invalidToken(), replacedMissing(), tooManyRequests(), serverFault()];

/** Returns the error for a status, with its message of interface 1.4, if any. */
function createRefusal(status: InjectedFailure["status"]): Error {
  if (status === "dead" || status === "two-nonces") throw new Error(`not a failure of a request: ${status}`);
  if (typeof status === "string") return WORDS[status]();
  const nearest = status >= 500 ? serverFault() : badRequest();
  return WORDED.find((refusal) => refusal.status === status) ?? new Refusal(status, nearest.message);
}
