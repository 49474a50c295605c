import { EXIT_CODES, type Failure, RelayctlError } from "../../../errors.ts";
import { type Row, textOf } from "../block.ts";
import type { TopicPage } from "../topic.ts";

type End = Failure | "ok";

/** When each code is given (design 4). */
const WHEN: Record<End, string> = {
  ok: "done, already so, or an empty list",
  usage: "a flag, an argument, a file or the config is wrong; judged before anything is sent",
  declined: "the answer was no, or consent is needed and nobody is there",
  auth: "no token, or the service does not accept it",
  not_found: "there is no such thing, or no such context",
  conflict: "the id is in use, the relayer is paused or disabled, the state is wrong, or something else uses it",
  rejected: "the service refused the request, or is no relayer service",
  rate_limited: "too many requests, after all attempts",
  server: "the service failed at a read, or its answer cannot be read",
  network: "no connection, a timeout before anything was sent, or one at a read",
  unmet: "what was waited or looked for is not so",
  changes: "differences were found, and reporting them was asked for",
  internal: "a bug in relayctl",
  unknown: "a write left, and no answer came that can be trusted",
  partial: "several targets, and some of them failed",
  mismatch: "accepted, but the answer differs from what was asked",
  io: "the result could not be written: a full disk",
  interrupted: "Ctrl-C",
  terminated: "SIGTERM",
  hung_up: "SIGHUP: the terminal or the ssh connection closed",
};

/** What each code promises; a failure that is missing here promises nothing. */
const UNCHANGED: readonly Failure[] = [
  "usage",
  "declined",
  "auth",
  "not_found",
  "conflict",
  "rejected",
  "rate_limited",
  "server",
  "network",
  "unmet",
  "changes",
];

/** `relayctl help exit-codes` */
export const exitCodesPage: TopicPage = () => {
  const failures = Object.keys(EXIT_CODES) as Failure[];
  const open = failures.filter((failure) => !UNCHANGED.includes(failure));
  return [
    textOf("The code says what to do next; what a command's own codes mean is in its help."),
    {
      kind: "sections",
      sections: [
        { heading: "As asked", rows: [rowOf("ok", 0)] },
        { heading: "Nothing was applied", rows: UNCHANGED.map(failureRow) },
        { heading: "Look before sending it again", rows: open.map(failureRow) },
      ],
      apart: true,
    },
    textOf(
      "With -o json the last line of stderr is one JSON object: error.code is the word above, error.applied is no, yes " +
        "or unknown, error.retryable says whether the same command may work later, error.hint is the next command to type.",
    ),
    { kind: "code", heading: "In a script", lines: SCRIPT.split("\n") },
  ];
};

const SCRIPT = `relayctl relayers pause eth-main-1
case $? in
  0) ;;
  8 | 9 | 10) echo 'not applied; try later' ;;
  11) relayctl relayers get eth-main-1 ;;
  *) exit 1 ;;
esac`;

function failureRow(failure: Failure): Row {
  const { text, term } = rowOf(failure, EXIT_CODES[failure]);
  return { term, text: new RelayctlError(failure, "").retryable ? `${text} (may work later)` : text };
}

function rowOf(end: End, code: number): Row {
  return { term: `${String(code).padEnd(3)}  ${end}`, text: WHEN[end] };
}
